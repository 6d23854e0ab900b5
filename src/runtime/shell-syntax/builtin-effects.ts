/**
 * What a command may change in the shell that the rest of the script builds on: nothing, the directory, the variables
 * named in its arguments, or anything at all. A program of its own process can change nothing.
 */
export type Effect = "nothing" | "directory" | "named" | "anything";

export function effectOf(name: string): Effect {
  return effects.get(name) ?? "nothing";
}

/** Builtins that take `NAME=value` as an argument of its own kind. */
export function isDeclaration(name: string): boolean {
  return /^(?:declare|typeset|local|export|readonly)$/.test(name);
}

const effects = new Map<string, Effect>([
  ...["cd", "pushd", "popd", "dirs"].map((name) => [name, "directory"] as const),
  ...["read", "mapfile", "readarray", "printf", "getopts", "wait", "let", "declare", "typeset", "local"].map(
    (name) => [name, "named"] as const,
  ),
  ...["export", "readonly"].map((name) => [name, "named"] as const),
  ...["eval", "source", ".", "builtin", "command", "exec", "unset", "trap", "enable", "set", "shopt"].map(
    (name) => [name, "anything"] as const,
  ),
  ...["alias", "unalias", "hash", "fc", "history", "bind", "complete", "compgen", "compopt"].map(
    (name) => [name, "anything"] as const,
  ),
]);
