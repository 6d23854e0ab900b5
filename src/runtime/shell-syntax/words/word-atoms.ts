import type { DoubleQuotedChild, Word as WordNode, WordPart } from "unbash";
import type { Reading, Site } from "../reading.ts";
import type { ShellState } from "../shell-state.ts";
import { type Atom, unknown } from "./atom.ts";
import { readParameter } from "./parameter-expansion.ts";
import { readVariable } from "./variable-atoms.ts";

interface Context {
  readonly reading: Reading;
  readonly site: Site;
  readonly state: ShellState;
}

/** A word as the pieces it is made of; scripts nested in it are walked on the way. */
export function readAtoms(
  word: WordNode,
  reading: Reading,
  { site, state }: Omit<Context, "reading">,
): Atom[] {
  const context = { reading, site, state };
  const atoms = readAll(word, context);
  // Values put in for variables count as well.
  reading.spend(1 + sum(atoms.map((atom) => ("text" in atom ? atom.text.length : 1))) / 16);
  return atoms;
}

function readAll(word: WordNode, context: Context): Atom[] {
  if (word.parts === undefined) return readPlain(word.text, context);
  expectWhole(word.text, word.parts, context);
  return word.parts.flatMap((part) => readPart(part, context));
}

function readPart(part: WordPart, context: Context): Atom[] {
  const { reading, site, state } = context;
  switch (part.type) {
    case "Literal":
      return readPlain(part.text, context);
    case "SingleQuoted":
      return [{ kind: "quoted", text: part.text.slice(1, -1) }];
    case "DoubleQuoted":
      expectWhole(part.text.slice(1, -1), part.parts, context);
      return [
        { kind: "quoted", text: "" },
        ...part.parts.flatMap((child) => readQuotedChild(child, context)),
      ];
    case "AnsiCQuoted":
      return [readAnsiC(part)];
    case "LocaleString":
      for (const child of part.parts) readQuotedChild(child, context);
      return [unknown("a text to be translated", false)];
    case "Glob":
      return part.kind === "bracket"
        ? readEnclosed(part, part.parts, context)
        : readPlain(part.text, context);
    case "BraceExpansion":
      return part.parts === undefined
        ? readPlain(part.text, context)
        : readEnclosed(part, part.parts, context);
    case "ExtendedGlob":
      reading.addProblem("an extended pattern, which bash does not take unless told to", part.text);
      for (const child of part.parts ?? []) readPart(child, context);
      return [unknown("an extended pattern", true)];
    case "ProcessSubstitution":
      reading.walkNested(part.script, site, state);
      return [
        { kind: "quoted", text: "/dev/fd/" },
        { kind: "unknown", why: "a process substitution", splits: false, isInteger: true },
      ];
    default:
      return readExpansion(part, { ...context, isQuoted: false });
  }
}

function readQuotedChild(child: DoubleQuotedChild, context: Context): Atom[] {
  if (child.type !== "Literal") return readExpansion(child, { ...context, isQuoted: true });
  return [{ kind: "quoted", text: readQuotedText(child.text, context) }];
}

/** Whether nothing in it should have ended the word. */
export function isOneWord(atoms: readonly Atom[]): boolean {
  return !atoms.some((atom) => atom.kind === "plain" && /[<>;&|()\s]/.test(atom.text));
}

/** The pieces of a here-document's body: as between double quotes, but that quotes mean nothing. */
export function readHereBody(
  parts: readonly WordPart[],
  reading: Reading,
  place: Omit<Context, "reading">,
): Atom[] {
  const context = { reading, ...place };
  return parts.flatMap((part): Atom[] =>
    part.type === "Literal"
      ? [{ kind: "quoted", text: readQuotedText(part.text, context) }]
      : readExpansion(part, { ...context, isQuoted: true }),
  );
}

function readExpansion(part: WordPart, context: Context & { readonly isQuoted: boolean }): Atom[] {
  const { reading, site, state, isQuoted } = context;
  switch (part.type) {
    case "SimpleExpansion": {
      const name = /^\$([A-Za-z_]\w*|[0-9@*#?$!-])$/.exec(part.text)?.[1];
      if (name !== undefined) {
        const atoms = readVariable(name, context);
        return isQuoted || !/^[A-Za-z_]/.test(name) ? atoms : [...atoms, { kind: "edge", isOpen: true }];
      }
      reading.addProblem("an expansion that is not understood", part.text);
      return [unknown("an expansion", true)];
    }
    case "ParameterExpansion":
      return readParameter(part, context);
    case "CommandExpansion":
      if (part.text.startsWith("${"))
        reading.addProblem("a substitution that runs in this very shell", part.text);
      reading.walkNested(part.script, site, state);
      return [unknown("the output of a command", !isQuoted)];
    case "ArithmeticExpansion":
      if (part.expression === undefined) reading.addProblem("arithmetic that is not understood", part.text);
      reading.checkArithmetic(part.expression, site, state);
      return [{ kind: "unknown", why: "a computed number", splits: false, isInteger: true }];
    default:
      reading.addProblem(`a word with a part of unknown kind (${part.type})`, part.text);
      return [unknown("a part of unknown kind", true)];
  }
}

function readEnclosed(part: { readonly text: string }, parts: readonly WordPart[], context: Context): Atom[] {
  expectWhole(part.text.slice(1, -1), parts, context);
  return [
    { kind: "plain", text: part.text[0]! },
    ...parts.flatMap((child) => readPart(child, context)),
    { kind: "plain", text: part.text.at(-1)! },
  ];
}

/** The parts must be all there is, or something in between went unread. */
function expectWhole(text: string, parts: readonly WordPart[], { reading }: Context): void {
  if (parts.map((part) => part.text).join("") !== text)
    reading.addProblem("a word that is not understood", text);
}

// What the parser should have told apart from plain text.
const leftover = /['"`]|[<>]\(|\$[\w@*#?$!({['"-]/;

function readPlain(text: string, { reading }: Context): Atom[] {
  const atoms: Atom[] = [];
  let bare = "";
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (character !== "\\") {
      atoms.push({ kind: "plain", text: character });
      bare += character;
      continue;
    }
    index += 1;
    const next = text[index];
    if (next !== "\n") atoms.push({ kind: "quoted", text: next ?? "\\" });
    // Something stays between the neighbours, so that they are not taken for one.
    bare += next === "\n" ? "" : " ";
  }
  if (leftover.test(bare)) reading.addProblem("a word that is not understood", text);
  return atoms;
}

function readQuotedText(text: string, { reading }: Context): string {
  if (/`|\$[\w@*#?$!({[-]/.test(text.replace(/\\./gs, " "))) {
    reading.addProblem("a quoted text that is not understood", text);
  }
  return text.replace(/\\([$`"\\\n])/g, (_whole, escaped: string) => (escaped === "\n" ? "" : escaped));
}

/** Bytes beyond ASCII depend on the locale, and escapes beyond the common ones on who reads them. */
function readAnsiC({ text, value }: { readonly text: string; readonly value: string }): Atom {
  const isCertain = /^[\0-\x7f]*$/.test(value) && !text.replace(commonEscapes, "").includes("\\");
  return isCertain ? { kind: "quoted", text: value } : unknown("a text with special escapes", false);
}

const commonEscapes =
  /\\(?:[abeEfnrtv\\'"?]|[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8})/g;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
