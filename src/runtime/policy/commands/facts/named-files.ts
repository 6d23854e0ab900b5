import { posix } from "node:path";
import { ownFilesOf } from "./own-files.ts";

/**
 * Absolute paths of files that a command's words may name, so that its program may run or obey what is in them: an operand,
 * the value after the `=` of an option, and what the program looks for by itself, here or in a folder that a word names.
 */
export function namedFiles(words: readonly string[], directory: string): readonly string[] {
  const values = words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]).filter(isName);
  const named = [...new Set(values.map((name) => posix.resolve(directory, name)))];
  const folders = [directory, ...named.slice(0, maxFolders)];
  const own = [...new Set(words.flatMap((word, index) => ownFilesOf(word, words[index + 1])))].filter(isName);
  return [
    ...new Set([...named, ...own.flatMap((file) => folders.map((folder) => posix.join(folder, file)))]),
  ];
}

/** More words than anybody writes by hand. */
const maxFolders = 200;

function isName(name: string): boolean {
  return name !== "" && !name.includes("\0");
}
