import type { Word as WordNode } from "unbash";
import type { ScriptPlace } from "../reading.ts";
import type { Word } from "../shell-script.ts";
import { type Atom, unknown } from "./atom.ts";
import { expandWordBraces } from "./expand-word-braces.ts";

/** Reads a word of a command, and gives the arguments that it becomes; undefined if its braces expand to too many. */
export function resolveArguments(word: WordNode, place: ScriptPlace): Word[] | undefined {
  const expanded = expandWordBraces(place.reading.readWord(word, place));
  return expanded
    ?.flatMap((each) => splitFields(closeSeams(expandTilde(each, place))))
    .map((field) => resolveField(field, { source: word.text, hasWildcards: true }));
}

/** The single text that a word becomes where bash neither splits it nor expands wildcards, as in an assignment. */
export function resolveText(atoms: readonly Atom[], source: string, place: ScriptPlace): Word {
  return resolveField(closeSeams(expandTilde(atoms, place)), { source, hasWildcards: false });
}

/**
 * Bash expands braces before variable names, so `{a,$}b` and `$a{b,c}` form names that are not in the text. A lone dollar
 * also keeps bash from splitting the rest of the word.
 */
function closeSeams(atoms: readonly Atom[]): readonly Atom[] {
  const isSeam = atoms.some((atom, index) => {
    const next = atoms[index + 1];
    if (atom.kind === "edge") return atom.isOpen && next?.kind === "plain" && /\w/.test(next.text);
    if (atom.kind !== "plain" || atom.text !== "$" || next === undefined) return false;
    return next.kind !== "plain" || /[\w@*#?$!({[-]/.test(next.text);
  });
  const closed = atoms.filter(({ kind }) => kind !== "edge");
  const hasDollar = closed.some((atom) => atom.kind === "plain" && atom.text === "$");
  const isSplit = closed.some(({ kind }) => kind === "gap");
  return isSeam || (hasDollar && isSplit) ? [unknown("a name made by braces", true)] : closed;
}

function expandTilde(atoms: readonly Atom[], { reading }: ScriptPlace): readonly Atom[] {
  const home = reading.options.known?.HOME;
  return atoms.flatMap((atom, index): Atom | Atom[] => {
    if (atom.kind !== "plain" || atom.text !== "~") return atom;
    const before = atoms[index - 1];
    // After `=` or `:` it depends on the command whether ~ is expanded, so it counts as unknown.
    if (before !== undefined) return before.kind === "plain" && /[=:]/.test(before.text) ? unknownHome : atom;
    const slash = atoms.findIndex((each) => each.kind === "plain" && each.text === "/");
    const login = atoms.slice(1, slash < 0 ? undefined : slash);
    if (login.some(({ kind }) => kind !== "plain")) return atom;
    if (login.length > 0 || home === undefined) return unknownHome;
    return { kind: "quoted", text: home, isVariable: true };
  });
}

const unknownHome = unknown("somebody's home directory", false);

function splitFields(atoms: readonly Atom[]): (readonly Atom[])[] {
  const fields: Atom[][] = [[]];
  for (const atom of atoms) {
    if (atom.kind === "gap") fields.push([]);
    else fields.at(-1)!.push(atom);
  }
  return fields.filter((field) => field.length > 0);
}

function resolveField(
  atoms: readonly Atom[],
  { source, hasWildcards }: { readonly source: string; readonly hasWildcards: boolean },
): Word {
  const lastBracket = atoms.findLastIndex((atom) => isActive(atom) && atom.text === "]");
  const isWild = (atom: Atom, index: number) =>
    hasWildcards && isActive(atom) && (/[*?]/.test(atom.text) || (atom.text === "[" && index < lastBracket));
  const special = atoms.findIndex((atom, index) => atom.kind === "unknown" || isWild(atom, index));
  if (special < 0) {
    const isVariable = atoms.some((atom) => atom.kind === "quoted" && atom.isVariable);
    return { kind: isVariable ? "variable" : "literal", text: atoms.map(textOf).join(""), source };
  }
  const before = atoms.slice(0, special).map(textOf).join("");
  const unknowns = atoms.filter((atom) => atom.kind === "unknown");
  const [first] = unknowns;
  if (first === undefined) {
    const pattern = atoms.map((atom, index) => patternOf(atom, isWild(atom, index))).join("");
    return { kind: "glob", pattern, prefix: before, source };
  }
  const isAlone = atoms.every((atom) => atom === first || (atom.kind === "quoted" && atom.text === ""));
  if (isAlone && first.glob) return { kind: "glob", ...first.glob, source };
  const known = before + (atoms[special] === first ? (first.glob?.prefix ?? "") : "");
  return {
    kind: "dynamic",
    prefix: hasWildcards && unknowns.some(({ splits }) => splits) ? "" : known,
    source,
    why: first.why,
    isInteger: isAlone && first.isInteger,
  };
}

/** Unquoted in the text, or from an unquoted variable. */
function isActive(atom: Atom): atom is Extract<Atom, { kind: "plain" | "wildcard" }> {
  return atom.kind === "plain" || atom.kind === "wildcard";
}

function textOf(atom: Atom): string {
  return "text" in atom ? atom.text : "";
}

function patternOf(atom: Atom, isWild: boolean): string {
  const text = textOf(atom);
  if (isWild || (atom.kind !== "quoted" && text === "]")) return text;
  return text.replace(/[*?[\]\\]/g, "\\$&");
}
