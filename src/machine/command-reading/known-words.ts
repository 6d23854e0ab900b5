import type { Word } from "../shell-syntax/index.ts";

/** The text of a word that is exactly one known argument; otherwise undefined. */
export function knownText(word: Word): string | undefined {
  if (word.kind !== "literal" && word.kind !== "variable") return undefined;
  // An unquoted leading ~ becomes a home folder, even if the parser kept it as text.
  return word.kind === "literal" && word.source.startsWith("~") ? undefined : word.text;
}

/** The word as it would be passed, or as written if that is unknown. */
export function shownText(word: Word): string {
  return knownText(word) ?? word.source;
}

/** The common prefix of all arguments that the word may become. */
export function prefixOf(word: Word): string {
  return knownText(word) ?? (word.kind === "glob" || word.kind === "dynamic" ? word.prefix : "");
}

/** Whether a word becomes exactly one argument: it is known, a number, or entirely inside one pair of double quotes. */
export function isOneArgument(word: Word): boolean {
  if (knownText(word) !== undefined || isProcessOutput(word)) return true;
  if (word.kind === "dynamic" && word.isInteger) return true;
  const { source } = word;
  if (source.length < 2 || !source.startsWith('"') || !source.endsWith('"')) return false;
  const inner = source.slice(1, -1);
  // "$@" and "${list[@]}" become many arguments; an inner quote may close the outer one.
  return !inner.includes("@") && !inner.includes('"');
}

/** Whether the word is just `<(…)`: a file name for the output of a command, which is judged on its own. */
export function isProcessOutput(word: Word): boolean {
  if (word.kind !== "dynamic" || word.prefix !== "/dev/fd/" || !word.source.startsWith("<(")) return false;
  let depth = 0;
  for (let at = 1; at < word.source.length; at += 1) {
    if (word.source[at] === "(") depth += 1;
    if (word.source[at] === ")") depth -= 1;
    if (depth === 0) return at === word.source.length - 1;
  }
  return false;
}

export function literalWord(text: string): Word {
  return { kind: "literal", text, source: /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text}'` };
}
