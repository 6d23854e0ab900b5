import { isPlainObject } from "../../json.ts";
import { cloneJson, NotJsonError } from "../clone-json.ts";

export interface TextReading {
  readonly kind: "number" | "boolean" | "array" | "object";
  readonly value: unknown;
}

/** Parses a text as JSON, if it can be read in only one way; null and text within text are not read. */
export function parseText(text: string): TextReading | undefined {
  if (text === "true" || text === "false") return { kind: "boolean", value: text === "true" };
  return readNumber(text) ?? readContainer(text);
}

/**
 * Plain decimals that a number holds exactly. A text with an exponent, a leading zero, a sign or space of its own, or
 * more digits than a number keeps may be a name or a code that merely looks like a number.
 */
function readNumber(text: string): TextReading | undefined {
  if (text.length > maxDigits || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  const shortest = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return String(value) === shortest ? { kind: "number", value } : undefined;
}

const maxDigits = 40;

function readContainer(text: string): TextReading | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = cloneJson(JSON.parse(text));
    // Which of two equal keys counts is a guess.
    if (countKeys(value) !== countWrittenKeys(text)) return undefined;
    return { kind: Array.isArray(value) ? "array" : "object", value };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NotJsonError) return undefined;
    throw error;
  }
}

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((total: number, item) => total + countKeys(item), 0);
  if (!isPlainObject(value)) return 0;
  return Object.values(value).reduce((total: number, inner) => total + 1 + countKeys(inner), 0);
}

/** In valid JSON, a colon follows a string only if the string is a key. */
function countWrittenKeys(json: string): number {
  let keys = 0;
  for (const [, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) keys++;
  return keys;
}
