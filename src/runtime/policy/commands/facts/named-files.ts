import { posix } from "node:path";

/**
 * Absolute paths of files that a command's words may name, so that its program may run or obey what is in them: an operand,
 * the value after the `=` of an option, and what the program looks for by itself.
 */
export function namedFiles(words: readonly string[], directory: string): readonly string[] {
  const values = words.flatMap((word) => [word, word.slice(word.indexOf("=") + 1)]);
  const own = words.flatMap((word) => ownFiles.get(posix.basename(word)) ?? []);
  const names = [...values, ...own].filter((name) => name !== "" && !name.includes("\0"));
  return [...new Set(names.map((name) => posix.resolve(directory, name)))];
}

const packageFiles = ["package.json"];
const makeFiles = ["GNUmakefile", "makefile", "Makefile"];

/** Files with commands that a program runs without being told their names. */
const ownFiles: ReadonlyMap<string, readonly string[]> = new Map([
  ["npm", packageFiles],
  ["pnpm", packageFiles],
  ["yarn", packageFiles],
  ["bun", packageFiles],
  ["make", makeFiles],
  ["gmake", makeFiles],
  ["just", ["justfile", "Justfile", ".justfile"]],
  ["rake", ["Rakefile", "rakefile"]],
]);
