import type { Assignment as AssignmentNode, Word as WordNode } from "unbash";
import type { Reading, Site } from "../reading.ts";
import { noteListing } from "../reading.ts";
import type { Assignment, Word } from "../shell-script.ts";
import { isFreshName, isInteger, isIntegerText, type ShellState, type Value } from "../shell-state.ts";
import { resolveArguments, resolveText } from "./resolve-word.ts";

interface Context {
  readonly reading: Reading;
  readonly site: Site;
  readonly state: ShellState;
}

/** Reads `NAME=value` without applying it. */
export function readAssignment(node: AssignmentNode, context: Context): Assignment {
  const { reading, site, state } = context;
  const { name, value, append, index } = node;
  const isArray = value.type === "ArrayValue";
  if (index !== undefined) checkSubscript(index, node.text, context);
  if (!isArray) {
    const atoms = reading.readWord(value, site, state);
    const word = resolveText(atoms, { source: value.text, home: reading.options.known?.HOME });
    return { name, value: word, isCompound: append === true || index !== undefined };
  }
  for (const [position, element] of value.elements.entries()) {
    if (value.elements[position - 1]?.end === element.pos) {
      reading.addProblem("two words have no space between them", element.text);
    }
    readElement(element, context);
  }
  const source = site.source.slice(value.pos, value.end);
  return { name, value: { kind: "dynamic", prefix: "", source, why: "an array" }, isCompound: true };
}

/** Applies an assignment of the script to the state. */
export function assign(assignment: Assignment, { reading, state }: Context): void {
  const { name, value, isCompound } = assignment;
  if (!isFreshName(name))
    reading.addProblem(`it assigns ${name}, which may change what commands do`, `${name}=${value.source}`);
  const known = isCompound ? undefined : knownValue(value);
  if (known === undefined) state.variables.delete(name);
  else state.variables.set(name, known);
}

export function knownValue(word: Word): Value | undefined {
  if (word.kind === "literal" || word.kind === "variable") return { kind: "text", text: word.text };
  if (word.kind === "glob") return { kind: "glob", pattern: word.pattern, prefix: word.prefix };
  return word.isInteger ? { kind: "integer" } : undefined;
}

function readElement(element: WordNode, context: Context): void {
  const { reading, site, state } = context;
  const atoms = reading.readWord(element, site, state);
  const words = resolveArguments(atoms, { source: element.text, home: reading.options.known?.HOME });
  if (words === undefined) reading.addProblem("braces expand to too many words", element.text);
  for (const word of words ?? []) noteListing(word, context);
  if (/^\[(?!\d{1,9}\]\+?=)/.test(element.text)) {
    reading.addProblem("an array index is computed", element.text);
  }
}

function checkSubscript(index: WordNode, text: string, { reading, site, state }: Context): void {
  reading.readAtoms(index, site, state);
  const plain = index.text.trim();
  const variable = /^\$?([a-z_]\w*)$/.exec(plain)?.[1];
  if (isIntegerText(plain) || (variable !== undefined && isInteger(state.variables.get(variable)))) return;
  reading.addProblem("an array index is computed", text);
}
