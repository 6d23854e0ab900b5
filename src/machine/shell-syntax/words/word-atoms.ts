import type { DoubleQuotedChild, Word as WordNode, WordPart } from "unbash";
import type { ScriptPlace } from "../reading.ts";
import { type Atom, unknown } from "./atom.ts";
import { readParameter } from "./parameter-expansion.ts";
import { readVariable } from "./variable-atoms.ts";

/** Splits a word into its pieces, and walks the scripts nested in it. */
export function readAtoms(word: WordNode, place: ScriptPlace): Atom[] {
  const atoms = readAll(word, place);
  // Variable values count as well.
  place.reading.spend(1 + sum(atoms.map((atom) => ("text" in atom ? atom.text.length : 1))) / 16);
  return atoms;
}

function readAll(word: WordNode, place: ScriptPlace): Atom[] {
  if (word.parts === undefined) return readPlain(word.text, place);
  expectWhole(word.text, word.parts, place);
  return word.parts.flatMap((part) => readPart(part, place));
}

function readPart(part: WordPart, place: ScriptPlace): Atom[] {
  const { reading } = place;
  switch (part.type) {
    case "Literal":
      return readPlain(part.text, place);
    case "SingleQuoted":
      return [{ kind: "quoted", text: part.text.slice(1, -1) }];
    case "DoubleQuoted":
      expectWhole(part.text.slice(1, -1), part.parts, place);
      return [{ kind: "quoted", text: "" }, ...part.parts.flatMap((child) => readQuotedChild(child, place))];
    case "AnsiCQuoted":
      return [readAnsiC(part)];
    case "LocaleString":
      for (const child of part.parts) readQuotedChild(child, place);
      return [unknown("a text to be translated", false)];
    case "Glob":
      return part.kind === "bracket" ? readEnclosed(part, part.parts, place) : readPlain(part.text, place);
    case "BraceExpansion":
      return part.parts === undefined ? readPlain(part.text, place) : readEnclosed(part, part.parts, place);
    case "ExtendedGlob":
      reading.addProblem("an extended pattern needs bash's extglob option", part.text);
      for (const child of part.parts ?? []) readPart(child, place);
      return [unknown("an extended pattern", true)];
    case "ProcessSubstitution":
      reading.walkNested(part.script, place);
      return [
        { kind: "quoted", text: "/dev/fd/" },
        { kind: "unknown", why: "a process substitution", splits: false, isInteger: true },
      ];
    default:
      return readExpansion(part, { ...place, isQuoted: false });
  }
}

function readQuotedChild(child: DoubleQuotedChild, place: ScriptPlace): Atom[] {
  if (child.type !== "Literal") return readExpansion(child, { ...place, isQuoted: true });
  return [{ kind: "quoted", text: readQuotedText(child.text, place) }];
}

/** Whether it contains no unquoted character that should have ended the word. */
export function isOneWord(atoms: readonly Atom[]): boolean {
  return !atoms.some((atom) => atom.kind === "plain" && /[<>;&|()\s]/.test(atom.text));
}

/** The pieces of a here-document's body: like double-quoted text, except that quotes are ordinary characters. */
export function readHereBody(parts: readonly WordPart[], place: ScriptPlace): Atom[] {
  return parts.flatMap((part): Atom[] =>
    part.type === "Literal"
      ? [{ kind: "quoted", text: readQuotedText(part.text, place) }]
      : readExpansion(part, { ...place, isQuoted: true }),
  );
}

function readExpansion(part: WordPart, context: ScriptPlace & { readonly isQuoted: boolean }): Atom[] {
  const { reading, isQuoted } = context;
  switch (part.type) {
    case "SimpleExpansion": {
      const name = /^\$([A-Za-z_]\w*|[0-9@*#?$!-])$/.exec(part.text)?.[1];
      if (name !== undefined) {
        const atoms = readVariable(name, context);
        return isQuoted || !/^[A-Za-z_]/.test(name) ? atoms : [...atoms, { kind: "edge", isOpen: true }];
      }
      reading.addProblem("an expansion could not be parsed", part.text);
      return [unknown("an expansion", true)];
    }
    case "ParameterExpansion":
      return readParameter(part, context);
    case "CommandExpansion":
      if (part.text.startsWith("${"))
        reading.addProblem("a substitution runs in the current shell", part.text);
      reading.walkNested(part.script, context);
      return [unknown("the output of a command", !isQuoted)];
    case "ArithmeticExpansion":
      if (part.expression === undefined) reading.addProblem("arithmetic could not be parsed", part.text);
      reading.checkArithmetic(part.expression, context);
      return [{ kind: "unknown", why: "a computed number", splits: false, isInteger: true }];
    default:
      reading.addProblem(`a word contains an unknown construct (${part.type})`, part.text);
      return [unknown("an unknown construct", true)];
  }
}

function readEnclosed(
  part: { readonly text: string },
  parts: readonly WordPart[],
  place: ScriptPlace,
): Atom[] {
  expectWhole(part.text.slice(1, -1), parts, place);
  return [
    { kind: "plain", text: part.text[0]! },
    ...parts.flatMap((child) => readPart(child, place)),
    { kind: "plain", text: part.text.at(-1)! },
  ];
}

/** Reports text between the parts, which would otherwise go unread. */
function expectWhole(text: string, parts: readonly WordPart[], { reading }: ScriptPlace): void {
  if (parts.map((part) => part.text).join("") !== text)
    reading.addProblem("a word could not be parsed", text);
}

// Syntax that the parser should not have left in plain text.
const leftover = /['"`]|[<>]\(|\$[\w@*#?$!({['"-]/;

function readPlain(text: string, { reading }: ScriptPlace): Atom[] {
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
    // The space keeps the characters around an escape apart.
    bare += next === "\n" ? "" : " ";
  }
  if (leftover.test(bare)) reading.addProblem("a word could not be parsed", text);
  return atoms;
}

function readQuotedText(text: string, { reading }: ScriptPlace): string {
  if (/`|\$[\w@*#?$!({[-]/.test(text.replace(/\\./gs, " "))) {
    reading.addProblem("quoted text could not be parsed", text);
  }
  return text.replace(/\\([$`"\\\n])/g, (_whole, escaped: string) => (escaped === "\n" ? "" : escaped));
}

/** Non-ASCII bytes depend on the locale, and uncommon escapes on the bash version. */
function readAnsiC({ text, value }: { readonly text: string; readonly value: string }): Atom {
  const isCertain = /^[\0-\x7f]*$/.test(value) && !text.replace(commonEscapes, "").includes("\\");
  return isCertain ? { kind: "quoted", text: value } : unknown("a text with special escapes", false);
}

const commonEscapes =
  /\\(?:[abeEfnrtv\\'"?]|[0-7]{1,3}|x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8})/g;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
