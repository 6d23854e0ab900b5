/**
 * What a command may change in the shell for the rest of the script: nothing, the directory, the variables named in its
 * arguments, or anything. A program in a separate process changes nothing.
 */
export type Effect = "nothing" | "directory" | "named" | "anything";

/** The effect of a command, given its words; unknown words are undefined. */
export function effectOf([name, ...words]: readonly (string | undefined)[]): Effect {
  if (name === undefined) return "anything";
  if (name === "command") return effectThrough(words);
  if (name === "set")
    return words.every((word) => word !== undefined && isStrictness.test(word)) ? "nothing" : "anything";
  // Only its first argument can make `printf` assign.
  if (name === "printf") return words[0] === undefined || words[0].startsWith("-") ? "named" : "nothing";
  return effects.get(name) ?? "nothing";
}

/** Builtins that take `NAME=value` arguments. */
export function isDeclaration(name: string): boolean {
  return /^(?:declare|typeset|local|export|readonly)$/.test(name);
}

function effectThrough(words: readonly (string | undefined)[]): Effect {
  const [first] = words;
  if (first === "-v" || first === "-V") return "nothing";
  return effectOf(words) === "nothing" && !first?.startsWith("-") ? "nothing" : "anything";
}

const isStrictness = /^(?:[-+][euo]+|errexit|nounset|pipefail)$/;

const effects: ReadonlyMap<string, Effect> = new Map([
  ...each("directory", "cd pushd popd dirs"),
  ...each("named", "read mapfile readarray getopts wait let declare typeset local export readonly"),
  ...each("anything", "eval source . builtin exec unset trap enable shopt alias unalias"),
  ...each("anything", "hash fc history bind complete compgen compopt"),
]);

function each(effect: Effect, names: string): [string, Effect][] {
  return names.split(" ").map((name) => [name, effect]);
}
