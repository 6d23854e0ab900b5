import { posix } from "node:path";
import { ownFilesOf } from "./own-files.ts";

/**
 * Absolute paths of files that a command's words may name, so that its program may run or obey what is in them: an operand,
 * the value of an option, after its `=` or its letter, what follows an `@`, and what the program looks for by itself, here
 * or in a folder that a word names.
 */
export function namedFiles(words: readonly string[], directory: string): readonly string[] {
  const values = words.flatMap(valuesIn).filter(isName);
  const named = [...new Set(values.map((name) => posix.resolve(directory, name)))];
  const folders = [directory, ...named.slice(0, maxFolders)];
  const own = [...new Set(words.flatMap((word, index) => ownFilesOf(word, words[index + 1])))].filter(isName);
  return [
    ...new Set([...named, ...own.flatMap((file) => folders.map((folder) => posix.join(folder, file)))]),
  ];
}

/** A word, and what of it a program may take for a name. */
function valuesIn(word: string): readonly string[] {
  const value = word.slice(word.indexOf("=") + 1);
  const attached = /^-[a-z]./i.test(word) ? [word.slice(2)] : [];
  return [word, value, ...attached].flatMap((each) => (each.startsWith("@") ? [each, each.slice(1)] : each));
}

/** More words than anybody writes by hand. */
const maxFolders = 200;

function isName(name: string): boolean {
  return name !== "" && !name.includes("\0");
}
