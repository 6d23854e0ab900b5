import type { ArithmeticFor, CompoundList, For, Select, While, Word as WordNode } from "unbash";
import { noteListing, type ScriptPlace } from "../reading.ts";
import type { SimpleCommand } from "../shell-script.ts";
import {
  bothExits,
  type ExitStates,
  forkState,
  isFreshName,
  isInteger,
  type ShellState,
  type Value,
} from "../shell-state.ts";
import { knownValue } from "../words/assignments.ts";
import { resolveArguments } from "../words/resolve-word.ts";
import { findChanges, forgetChanges } from "./loop-changes.ts";

type WalkBody = (list: CompoundList, place: ScriptPlace) => ShellState;

// A loop over literal words is walked once per word; beyond this limit, which covers nested loops together, it is walked
// once with an unknown word.
const maxRounds = 64;

export function walkLoop(
  node: For | ArithmeticFor | While | Select,
  place: ScriptPlace,
  walkBody: WalkBody,
): ExitStates {
  switch (node.type) {
    case "For":
      return walkFor(node, place, walkBody);
    case "Select":
      place.reading.addProblem("select waits for someone to choose from a menu", node.name.text);
      return walkFor(node, place, walkBody);
    case "ArithmeticFor":
      return walkArithmeticFor(node, place, walkBody);
    case "While":
      return walkWhile(node, place, walkBody);
  }
}

function walkWhile({ kind, clause, body }: While, place: ScriptPlace, walkBody: WalkBody): ExitStates {
  const { reading, site, state } = place;
  forgetChanges(state, findChanges([clause, body], reading));
  const before = reading.commands.length;
  const end = walkBody(clause, { ...place, state: forkState(state) });
  const conditions = reading.commands.slice(before);
  const condition = site.source.slice(clause.pos, clause.end);
  // A condition without commands is arithmetic, where a letter is a variable.
  const mayVary = conditions.length === 0 && /[a-z]/i.test(condition);
  const [only, ...others] = conditions;
  const isSingle = only !== undefined && others.length === 0 && !condition.includes("!");
  const neverRuns = isSingle && isFixed(only, kind === "while" ? ["false"] : ["true", ":"]);
  if (!mayVary && !neverRuns && conditions.every((each) => isFixed(each))) expectWayOut(body, place);
  walkBody(body, { ...place, state: forkState(end) });
  return bothExits(state);
}

/** Whether a command always ends with the same status. */
function isFixed({ words: [name] }: SimpleCommand, names = ["true", "false", ":"]): boolean {
  return name?.kind === "literal" && names.includes(name.text);
}

/** Reports a loop whose condition always holds and whose body has no way out. */
function expectWayOut({ pos, end }: CompoundList, { reading, site }: ScriptPlace): void {
  const text = site.source.slice(pos, end);
  if (!/\b(?:break|exit|return)\b/.test(text)) reading.addProblem("a loop may never end", text);
}

function walkArithmeticFor(node: ArithmeticFor, place: ScriptPlace, walkBody: WalkBody): ExitStates {
  const { reading, state } = place;
  const { initialize, test, update, body } = node;
  expectWhole(node, place);
  if (test === undefined) expectWayOut(body, place);
  reading.checkArithmetic(initialize, place);
  const parts = [test, update, body].filter((part) => part !== undefined);
  forgetChanges(state, findChanges(parts, reading));
  reading.checkArithmetic(test, place);
  walkBody(body, { ...place, state: forkState(state) });
  reading.checkArithmetic(update, { ...place, state: forkState(state) });
  return bothExits(state);
}

/** A part that is missing in the parsed loop must be missing in the text too. */
function expectWhole(
  { initialize, test, update, pos, body }: ArithmeticFor,
  { reading, site }: ScriptPlace,
): void {
  const head = site.source.slice(pos, body.pos);
  const [start, end] = [head.indexOf("((") + 2, head.lastIndexOf("))")];
  const parts = start > 1 && end >= start ? head.slice(start, end).split(";") : [];
  const isWhole = [initialize, test, update].every(
    (part, index) => part !== undefined || parts[index]?.trim() === "",
  );
  if (parts.length !== 3 || !isWhole) reading.addProblem("arithmetic could not be parsed", head);
}

function walkFor(node: For | Select, place: ScriptPlace, walkBody: WalkBody): ExitStates {
  const { reading, site, state } = place;
  const name = node.name.text;
  if (!isFreshName(name)) reading.addProblem(`it assigns ${name}, which may change what commands do`, name);
  const [first, ...others] = node.wordlist ?? [];
  others.reduce((before, word) => {
    if (before?.end === word.pos) reading.addProblem("two words have no space between them", word.text);
    return word;
  }, first);
  const values = node.wordlist?.flatMap((word) => readValues(word, place)) ?? [undefined];
  forgetChanges(state, findChanges([node.body], reading));
  const rounds = site.rounds * values.length;
  // The body is walked even if there are no values.
  const isShort = values.length > 0 && rounds <= maxRounds;
  for (const value of isShort ? values : [widest(values)]) {
    const round = forkState(state);
    setValue(round, name, value);
    walkBody(node.body, {
      ...place,
      site: { ...site, rounds: isShort ? rounds : site.rounds },
      state: round,
    });
  }
  setValue(state, name, widest(values));
  return bothExits(state);
}

function readValues(word: WordNode, place: ScriptPlace): (Value | undefined)[] {
  const words = resolveArguments(word, place);
  for (const each of words ?? []) noteListing(each, place);
  if (words !== undefined) return words.map(knownValue);
  place.reading.addProblem("braces expand to too many words", word.text);
  return [undefined];
}

/** The kind that all of the values have, if that is known. */
function widest(values: readonly (Value | undefined)[]): Value | undefined {
  return values.length > 0 && values.every(isInteger) ? { kind: "integer" } : undefined;
}

function setValue(state: ShellState, name: string, value: Value | undefined): void {
  if (value === undefined) state.variables.delete(name);
  else state.variables.set(name, value);
}
