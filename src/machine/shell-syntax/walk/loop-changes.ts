import type { Assignment, Command, SyntaxNode } from "unbash";
import type { Reading } from "../reading.ts";
import { forgetAll, isInteger, isIntegerText, type ShellState } from "../shell-state.ts";
import { effectOf } from "./builtin-effects.ts";

/** What a part of a script may change, found without walking it. */
export interface LoopChanges {
  /** The variables it may assign, and whether only to whole numbers. */
  readonly variables: Map<string, "integer" | "other">;
  readonly functions: Set<string>;
  hasUnknownVariables: boolean;
  hasDirectory: boolean;
  hasAnything: boolean;
}

export function findChanges(nodes: readonly SyntaxNode[], reading: Reading): LoopChanges {
  const changes: LoopChanges = {
    variables: new Map(),
    functions: new Set(),
    hasUnknownVariables: false,
    hasDirectory: false,
    hasAnything: false,
  };
  const visit = (node: SyntaxNode): void => {
    reading.spend(1);
    note(node, changes, reading);
    reading.forEachChild(node, visit);
  };
  for (const node of nodes) visit(node);
  return changes;
}

/** Drops from the state everything that these changes may have affected, any number of times. */
export function forgetChanges(state: ShellState, changes: LoopChanges): void {
  if (changes.hasAnything) {
    forgetAll(state);
    return;
  }
  if (changes.hasDirectory) state.directories = undefined;
  if (changes.hasUnknownVariables) state.variables.clear();
  for (const [name, kind] of changes.variables) {
    const isNumber = kind === "integer" && isInteger(state.variables.get(name));
    if (isNumber) state.variables.set(name, { kind: "integer" });
    else state.variables.delete(name);
  }
}

function note(node: SyntaxNode, changes: LoopChanges, reading: Reading): void {
  switch (node.type) {
    case "Assignment":
      noteName(changes, node.name, isIntegerAssignment(node) ? "integer" : "other");
      return;
    case "For":
    case "Select":
      noteName(changes, node.name.text, "other");
      return;
    case "FileDescriptorVariable":
      noteName(changes, node.name, "other");
      return;
    case "ParameterExpansion":
      if (node.operation?.type === "Default" && node.operation.operator.endsWith("=")) {
        noteName(changes, node.parameter, "other");
      }
      return;
    case "ArithmeticBinary":
      if (/[^=!<>]=$|^=$|<<=|>>=/.test(node.operator)) noteArithmetic(node.left, changes);
      return;
    case "ArithmeticUnary":
      if (/^(?:\+\+|--)$/.test(node.operator)) noteArithmetic(node.operand, changes);
      return;
    case "Function":
      changes.functions.add(node.name.text);
      return;
    case "Coproc":
      changes.hasAnything = true;
      return;
    case "Command":
      noteCommand(node, changes, reading);
      return;
  }
}

function noteArithmetic(target: SyntaxNode, changes: LoopChanges): void {
  if (target.type === "ArithmeticWord") noteName(changes, target.value, "integer");
  else changes.hasUnknownVariables = true;
}

function noteCommand({ name, suffix }: Command, changes: LoopChanges, reading: Reading): void {
  if (name === undefined) return;
  const words = [name, ...suffix.filter((each) => each.type === "Word")].map(plainText);
  const isFunction = words[0] !== undefined && reading.functionNames.has(words[0]);
  const effect = isFunction ? "anything" : effectOf(words);
  if (effect === "anything") changes.hasAnything = true;
  if (effect === "directory") changes.hasDirectory = true;
  if (effect !== "named") return;
  for (const word of words.slice(1)) {
    const variable = namedVariable(word);
    if (variable === undefined) changes.hasUnknownVariables = true;
    else if (variable !== "") noteName(changes, variable, "other");
  }
}

/** The text of a word without expansions, with simple quotes removed; otherwise undefined. */
function plainText({ text }: { readonly text: string }): string | undefined {
  const [, quoted, bare] = /^(?:'([^']*)'|([\w./:[\]+%@=,-]+))$/.exec(text) ?? [];
  if (quoted !== undefined) return quoted;
  return bare ?? (/^"[^"$`\\]*"$/.test(text) ? text.slice(1, -1) : undefined);
}

/** The variable that an argument of an assigning builtin names; empty for none, undefined if unknown. */
export function namedVariable(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (/^(?:-[a-zA-Z]*|\d+|)$/.test(text)) return "";
  return /^([A-Za-z_]\w*)(?:\+?=.*)?$/s.exec(text)?.[1];
}

function noteName(changes: LoopChanges, name: string, kind: "integer" | "other"): void {
  const isOther = kind === "other" || changes.variables.get(name) === "other";
  changes.variables.set(name, isOther ? "other" : "integer");
}

function isIntegerAssignment({ value, append, index }: Assignment): boolean {
  if (value.type !== "Word" || append === true || index !== undefined) return false;
  const [part, ...others] = value.parts ?? [];
  return isIntegerText(value.text) || (part?.type === "ArithmeticExpansion" && others.length === 0);
}
