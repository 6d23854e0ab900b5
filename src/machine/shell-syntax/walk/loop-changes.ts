import type { Assignment, Command, SyntaxNode } from "unbash";
import type { Reading } from "../reading.ts";
import { forgetAll, isInteger, isIntegerText, type ShellState } from "../shell-state.ts";
import { effectOf } from "./builtin-effects.ts";

type LoopChanges = ReturnType<typeof findChanges>;

/** Finds what a part of a script may change, without walking it. */
export function findChanges(nodes: readonly SyntaxNode[], reading: Reading) {
  const changes = {
    /** The variables it may assign, and whether only to whole numbers. */
    variables: new Map<string, "integer" | "other">(),
    functions: new Set<string>(),
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
  if (changes.hasAnything) forgetAll(state);
  if (changes.hasDirectory) state.directories = undefined;
  if (changes.hasUnknownVariables) state.variables.clear();
  for (const [name, kind] of changes.variables) {
    const isNumber = kind === "integer" && isInteger(state.variables.get(name));
    if (isNumber) state.variables.set(name, { kind: "integer" });
    else state.variables.delete(name);
  }
}

function note(node: SyntaxNode, changes: LoopChanges, reading: Reading): void {
  if (node.type === "Assignment")
    noteName(changes, node.name, isIntegerAssignment(node) ? "integer" : "other");
  else if (node.type === "For" || node.type === "Select") noteName(changes, node.name.text, "other");
  else if (node.type === "FileDescriptorVariable") noteName(changes, node.name, "other");
  else if (node.type === "ParameterExpansion") {
    const { operation } = node;
    if (operation?.type === "Default" && operation.operator.endsWith("="))
      noteName(changes, node.parameter, "other");
  } else if (node.type === "ArithmeticBinary") {
    if (/[^=!<>]=$|^=$|<<=|>>=/.test(node.operator)) noteArithmetic(node.left, changes);
  } else if (node.type === "ArithmeticUnary") {
    if (/^(?:\+\+|--)$/.test(node.operator)) noteArithmetic(node.operand, changes);
  } else if (node.type === "Function") changes.functions.add(node.name.text);
  else if (node.type === "Coproc") changes.hasAnything = true;
  else if (node.type === "Command") noteCommand(node, changes, reading);
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
