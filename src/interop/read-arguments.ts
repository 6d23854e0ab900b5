import { repairJson } from "./streams/repair-json.ts";
import type { ReadCall } from "./tool-format.ts";

/** More than any model writes in one answer. */
export const maxArgumentCharacters = 10_000_000;

/**
 * Reads what a model wrote as the arguments of a call. Only what cannot change the meaning is mended (see
 * `repair-json.ts`); text that was cut off is never completed, since nobody can know what it would have said.
 */
export function readArguments(given: unknown): Pick<ReadCall, "input" | "inputProblem"> {
  if (typeof given !== "string") return { input: given ?? {} };
  if (given.length > maxArgumentCharacters) {
    return refuse(given, `the arguments are longer than ${maxArgumentCharacters} characters`);
  }
  // Models often write nothing at all when there is nothing to say.
  if (given.trim() === "") return { input: {} };
  return parse(given) ?? refuse(given, explain(given));
}

export const cutOffProblem =
  "the arguments end in the middle, probably because the answer grew too long; call again, with less at once";

function parse(text: string): { input: unknown } | undefined {
  const value = parseTolerantly(text);
  // Some models encode the arguments twice over.
  const inner = typeof value === "string" ? parseTolerantly(value) : value;
  return inner === undefined ? undefined : { input: inner };
}

function parseTolerantly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const repaired = repairJson(text);
    return repaired.state === "whole" ? parseWhole(repaired.text) : undefined;
  }
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function explain(text: string): string {
  if (repairJson(text).state === "cut") return cutOffProblem;
  return `the arguments are not JSON (${whyNotJson(text)}); call again with one JSON object`;
}

function whyNotJson(text: string): string {
  try {
    JSON.parse(text);
    return "not an object";
  } catch (error) {
    return (error as Error).message.split("\n")[0]!;
  }
}

/** The receipt keeps what was written. */
function refuse(text: string, inputProblem: string): { input: unknown; inputProblem: string } {
  return { input: text.slice(0, maxArgumentCharacters), inputProblem };
}
