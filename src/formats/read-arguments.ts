import { findJsonExcess, requestLimits } from "../shared/json-rpc/find-json-excess.ts";
import { repairJson } from "./streams/repair-json.ts";
import type { ReadCall } from "./tool-format.ts";

/** More than any model writes in one message. */
export const maxArgumentCharacters = 2_000_000;

/**
 * Reads a call's arguments as the model wrote them. Repairs only what cannot change the meaning (see `repair-json.ts`);
 * text that was cut off is never completed, since its end is unknown.
 */
export function readArguments(given: unknown): Pick<ReadCall, "input" | "inputProblem"> {
  if (typeof given !== "string") return { input: given ?? {} };
  if (given.length > maxArgumentCharacters) {
    return refuse(given, `the arguments are longer than ${maxArgumentCharacters} characters`);
  }
  const excess = findJsonExcess(given, requestLimits);
  if (excess !== undefined) return refuse(given, `the arguments cannot be taken: ${excess}`);
  // Models often write nothing at all when there are no arguments.
  if (given.trim() === "") return { input: {} };
  return parse(given) ?? refuse(given, explain(given));
}

export const cutOffProblem =
  "the arguments are cut off, probably because the message became too long; call again with shorter arguments";

function parse(text: string): { input: unknown } | undefined {
  const value = parseTolerantly(text);
  // Some models encode the arguments twice.
  const inner = typeof value === "string" ? parseInner(value) : value;
  return inner === undefined ? undefined : { input: inner };
}

function parseInner(text: string): unknown {
  return findJsonExcess(text, requestLimits) === undefined ? parseTolerantly(text) : undefined;
}

function parseTolerantly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const repaired = repairJson(text);
    return repaired.state === "whole" ? JSON.parse(repaired.text) : undefined;
  }
}

function explain(text: string): string {
  if (repairJson(text).state === "cut") return cutOffProblem;
  return `the arguments are not valid JSON (${whyNotJson(text)}); call again with one JSON object`;
}

function whyNotJson(text: string): string {
  try {
    JSON.parse(text);
    return "not an object";
  } catch (error) {
    return (error as Error).message.split("\n")[0]!;
  }
}

/** Keeps the model's text, for the receipt. */
function refuse(text: string, inputProblem: string): { input: unknown; inputProblem: string } {
  return { input: text.slice(0, maxArgumentCharacters), inputProblem };
}

/** Appends a piece of text, unless the text is already longer than any that is read. */
export function appendText(text: string, more: unknown): string {
  return typeof more === "string" && text.length <= maxArgumentCharacters ? text + more : text;
}
