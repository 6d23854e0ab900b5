import type { ParameterExpansionPart, Word as WordNode } from "unbash";
import type { ScriptPlace } from "../reading.ts";
import { isFreshName, isInteger, isIntegerText } from "../shell-state.ts";
import { type Atom, unknown } from "./atom.ts";
import { readVariable } from "./variable-atoms.ts";

interface Context extends ScriptPlace {
  readonly isQuoted: boolean;
}

/** Reads `${…}`: its value if known; a problem if it evaluates a variable's value as code. */
export function readParameter(part: ParameterExpansionPart, context: Context): Atom[] {
  const { reading, isQuoted } = context;
  const { parameter, prefix, index, operation } = part;
  const isList = index?.text === "@" || index?.text === "*";
  if (!/^(?:[A-Za-z_]\w*|\d+|[@*#?$!-])$/.test(parameter)) {
    reading.addProblem("an expansion could not be parsed", part.text);
  }
  // It is ambiguous whether a closing brace ends the expansion or the braces around it.
  if (!isQuoted && /[^$]\{/.test(part.text.slice(1)))
    reading.addProblem("an expansion contains braces", part.text);
  if (prefix === "!")
    reading.addProblem("an expansion uses a variable's value as a variable name", part.text);
  if (index !== undefined && !isList) expectInteger(index, part.text, context);
  if (operation !== undefined) checkOperation(part, context);
  if (prefix === "#") return [{ kind: "unknown", why: "a length", splits: false, isInteger: true }];
  if (prefix === undefined && index === undefined && operation === undefined) {
    return readVariable(parameter, context);
  }
  return [
    unknown(`what ${part.text} stands for`, !isQuoted || isList || parameter === "@" || prefix === "!"),
  ];
}

function checkOperation(part: ParameterExpansionPart, context: Context): void {
  const { reading, state } = context;
  const { operation, parameter, text } = part;
  if (operation?.type === "Default") {
    walkOperand(operation.operand, context);
    if (!operation.operator.endsWith("=")) return;
    if (!isFreshName(parameter))
      reading.addProblem(`it assigns ${parameter}, which may change what commands do`, text);
    state.variables.delete(parameter);
  } else if (operation?.type === "Remove") walkOperand(operation.operand, context);
  else if (operation?.type === "Replace") {
    // The parser takes a slash inside a command as the end of the pattern.
    if (/`|[$<>]\(/.test(text)) reading.addProblem("a replacement contains a command", text);
    walkOperand(operation.pattern, context);
    walkOperand(operation.replacement, context);
  } else if (operation?.type === "CaseModification") {
    if (operation.operand !== undefined) walkOperand(operation.operand, context);
  } else if (operation?.type === "Slice") {
    expectInteger(operation.offset, text, context);
    if (operation.length !== undefined) expectInteger(operation.length, text, context);
  } else if (operation?.type === "Transform") {
    walkOperand(operation.operand, context);
    if (!/^[QULu]$/.test(operation.operand.text))
      reading.addProblem("a transformation may run a variable's value as code", text);
  } else reading.addProblem("an expansion could not be parsed", text);
}

/** Walks an operand only for the scripts nested in it; its text is not used, because its quotes follow special rules. */
function walkOperand(operand: WordNode, context: Context): void {
  const { reading, isQuoted } = context;
  for (const atom of readInside(operand, context)) {
    // Inside double quotes, single quotes do not prevent expansion.
    if (isQuoted && atom.kind === "quoted" && /`|\$[({]/.test(atom.text)) {
      reading.addProblem("quoted text could not be parsed", operand.text);
    }
  }
}

/** Bash evaluates these as arithmetic, which may run a variable's value as code. */
function expectInteger(word: WordNode, text: string, context: Context): void {
  const { reading, state } = context;
  const [atom, ...others] = readInside(word, context).filter(({ kind }) => kind !== "edge");
  const plain = word.text.trim();
  if (isIntegerText(plain)) return;
  if (isFreshName(plain) && isInteger(state.variables.get(plain))) return;
  if (atom?.kind === "unknown" && atom.isInteger && others.length === 0) return;
  if (atom?.kind === "quoted" && isIntegerText(atom.text) && others.length === 0) return;
  reading.addProblem("an index or offset may not be a number", text);
}

function readInside(word: WordNode, { reading, site, state }: Context): Atom[] {
  return reading.readAtoms(word, { reading, site: { ...site, depth: site.depth + 1 }, state });
}
