import type { Assignment as AssignmentNode, Word as WordNode } from "unbash";
import { noteListing, type ScriptPlace } from "../reading.ts";
import type { Assignment, Word } from "../shell-script.ts";
import { isFreshName, isInteger, isIntegerText, type Value } from "../shell-state.ts";
import { resolveArguments, resolveText } from "./resolve-word.ts";

/** Reads `NAME=value` without applying it. */
export function readAssignment(node: AssignmentNode, place: ScriptPlace): Assignment {
  const { reading, site } = place;
  const { name, value, append, index } = node;
  const isArray = value.type === "ArrayValue";
  if (index !== undefined) checkSubscript(index, node.text, place);
  if (!isArray) {
    const word = resolveText(reading.readWord(value, place), value.text, place);
    return { name, value: word, isCompound: append === true || index !== undefined };
  }
  for (const [position, element] of value.elements.entries()) {
    if (value.elements[position - 1]?.end === element.pos) {
      reading.addProblem("two words have no space between them", element.text);
    }
    readElement(element, place);
  }
  const source = site.source.slice(value.pos, value.end);
  return { name, value: { kind: "dynamic", prefix: "", source, why: "an array" }, isCompound: true };
}

/** Applies an assignment of the script to the state. */
export function assign(assignment: Assignment, { reading, state }: ScriptPlace): void {
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

function readElement(element: WordNode, place: ScriptPlace): void {
  const { reading } = place;
  const words = resolveArguments(element, place);
  if (words === undefined) reading.addProblem("braces expand to too many words", element.text);
  for (const word of words ?? []) noteListing(word, place);
  if (/^\[(?!\d{1,9}\]\+?=)/.test(element.text)) {
    reading.addProblem("an array index is computed", element.text);
  }
}

function checkSubscript(index: WordNode, text: string, place: ScriptPlace): void {
  const { reading, state } = place;
  reading.readAtoms(index, place);
  const plain = index.text.trim();
  const variable = /^\$?([a-z_]\w*)$/.exec(plain)?.[1];
  if (isIntegerText(plain) || (variable !== undefined && isInteger(state.variables.get(variable)))) return;
  reading.addProblem("an array index is computed", text);
}
