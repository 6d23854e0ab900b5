import { posix } from "node:path";
import type { ScriptPlace } from "../reading.ts";
import { type Atom, unknown } from "./atom.ts";

interface Context extends ScriptPlace {
  readonly isQuoted: boolean;
}

/** The atoms that `$name` expands to. */
export function readVariable(name: string, context: Context): Atom[] {
  const { state, isQuoted } = context;
  if (/^[?#$!]$/.test(name)) return [{ kind: "unknown", why: `$${name}`, splits: false, isInteger: true }];
  if (name === "@") return [unknown("$@", true)];
  const text = fixedValue(name, context);
  if (text !== undefined) return isQuoted ? [known(text)] : splitValue(text);
  const value = state.variables.get(name);
  switch (value?.kind) {
    case "text":
      return isQuoted ? [known(value.text)] : splitValue(value.text);
    case "integer":
      return [{ kind: "unknown", why: `the number in $${name}`, splits: false, isInteger: true }];
    case "glob":
      if (isQuoted) return [{ kind: "unknown", why: `the name in $${name}`, splits: false, glob: value }];
      return [unknown(`the name in $${name}, which may hold spaces`, true)];
    default:
      return [unknown(`what $${name} holds`, !isQuoted)];
  }
}

function fixedValue(name: string, { reading, state }: Context): string | undefined {
  const { HOME, PWD } = reading.options.known ?? {};
  if (name === "HOME") return HOME;
  if (name !== "PWD" || PWD === undefined) return undefined;
  const directory = state.directories?.[0];
  return directory === undefined ? undefined : posix.resolve(PWD, directory);
}

function known(text: string): Atom {
  return { kind: "quoted", text, isVariable: true };
}

/** An unquoted value is split at white space, and its wildcards are expanded. */
function splitValue(text: string): Atom[] {
  // The meaning of a backslash here depends on whether a file matches.
  if (text.includes("\\")) return [unknown("a value with a backslash", true)];
  if (text === "") return [{ kind: "edge", isOpen: false }];
  return text
    .split(/([ \t\n]+|[*?[\]])/)
    .filter((piece) => piece !== "")
    .map((piece): Atom => {
      if (/^[ \t\n]/.test(piece)) return { kind: "gap", text: piece };
      return /^[*?[\]]$/.test(piece) ? { kind: "wildcard", text: piece } : known(piece);
    });
}
