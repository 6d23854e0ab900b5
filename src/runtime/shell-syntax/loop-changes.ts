import type { Assignment, Command, SyntaxNode } from "unbash";
import { effectOf } from "./builtin-effects.ts";
import type { Reading } from "./reading.ts";
import { forgetAll, isInteger, isIntegerText, type ShellState } from "./shell-state.ts";

/** What walking a piece of script may change, found without walking it. */
export interface Changes {
  /** The names it may assign to, and whether to nothing but numbers. */
  readonly variables: Map<string, "integer" | "other">;
  hasUnknownVariables: boolean;
  hasDirectory: boolean;
  hasAnything: boolean;
}

export function findChanges(nodes: readonly SyntaxNode[], reading: Reading, state: ShellState): Changes {
  const changes: Changes = {
    variables: new Map(),
    hasUnknownVariables: false,
    hasDirectory: false,
    hasAnything: false,
  };
  const visit = (node: SyntaxNode): void => {
    reading.spend(1);
    note(node, changes, state);
    reading.forEachChild(node, visit);
  };
  for (const node of nodes) visit(node);
  return changes;
}

/** What is still known when these changes may have happened, any number of times. */
export function forgetChanges(state: ShellState, changes: Changes): void {
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

function note(node: SyntaxNode, changes: Changes, state: ShellState): void {
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
    case "Coproc":
      changes.hasAnything = true;
      return;
    case "Command":
      noteCommand(node, changes, state);
      return;
  }
}

function noteArithmetic(target: SyntaxNode, changes: Changes): void {
  if (target.type === "ArithmeticWord") noteName(changes, target.value, "integer");
  else changes.hasUnknownVariables = true;
}

function noteCommand({ name, suffix }: Command, changes: Changes, state: ShellState): void {
  if (name === undefined) return;
  const isPlain = /^[\w./:[\]+-]+$/.test(name.text);
  if (!isPlain || state.functions.has(name.text)) {
    changes.hasAnything = true;
    return;
  }
  const effect = effectOf(name.text);
  if (effect === "anything") changes.hasAnything = true;
  if (effect === "directory") changes.hasDirectory = true;
  if (effect !== "named") return;
  for (const argument of suffix) {
    if (argument.type !== "Word") continue;
    if (/^[A-Za-z_]\w*$/.test(argument.text)) noteName(changes, argument.text, "other");
    else if (mayNameVariable(name.text, argument.text)) changes.hasUnknownVariables = true;
  }
}

/** `printf` names one only after `-v`; the others may in any word that is not plainly an option or a number. */
export function mayNameVariable(command: string, text: string): boolean {
  if (command === "printf") return /^(?!['"]?%)['"\\$`-]*v|^[$`]/.test(text);
  return !/^(?:-[a-zA-Z]*|\d+)$/.test(text);
}

function noteName(changes: Changes, name: string, kind: "integer" | "other"): void {
  const isOther = kind === "other" || changes.variables.get(name) === "other";
  changes.variables.set(name, isOther ? "other" : "integer");
}

function isIntegerAssignment({ value, append, index }: Assignment): boolean {
  if (value.type !== "Word" || append === true || index !== undefined) return false;
  const [part, ...others] = value.parts ?? [];
  return isIntegerText(value.text) || (part?.type === "ArithmeticExpansion" && others.length === 0);
}
