import { findEmptied, isPlainObject, isSurelyJson } from "../shared/json.ts";
import { defined } from "../shared/options/defined.ts";
import { describeThrown } from "../shared/text/describe-thrown.ts";
import { type ContentPart, isBeyondText, isContentPart, partToText } from "./content-part.ts";
import { ToolError } from "./tool-error.ts";

export type * from "./content-part.ts";

/** A result made of parts, for tools that return more than one string or value. */
export interface PartsResult {
  readonly content: readonly ContentPart[];
  readonly data?: unknown;
}

/** What `run` may return: a string, a JSON value, parts, or nothing. */
export type ToolReturn = unknown;

/**
 * The error that a value `{ isError: true, … }` reports, as handlers written for MCP return it. A call with such a result
 * has failed, wherever the value comes from.
 */
export function reportedFailure(value: ToolReturn): ToolError | undefined {
  if (!isPlainObject(value) || value.isError !== true) return undefined;
  const { isError: _isError, ...rest } = value;
  if (!isPartsResult(value)) {
    const { message = rest.error } = rest;
    const text = typeof message === "string" && message !== "" ? message : "the tool reported an error";
    return new ToolError("tool-failed", text, { partial: Object.keys(rest).length > 0 ? rest : undefined });
  }
  const { text } = fromParts({ content: value.content.filter((part) => !isBeyondText(part)) });
  const beyondText = value.content.filter(isBeyondText);
  const { data } = value;
  const partial = beyondText.length > 0 ? { content: beyondText, ...defined({ data }) } : data;
  return new ToolError("tool-failed", text === "" ? "the tool reported an error" : text, { partial });
}

/** A return value in normal form: parts for the caller, one text for the model, data for code. */
export interface NormalizedResult {
  readonly content: readonly ContentPart[];
  readonly text: string;
  readonly data?: unknown;
}

/** Throws a ToolError `invalid-output` for a value that cannot be written as JSON. */
export function normalizeResult(value: ToolReturn, toText?: (value: never) => string): NormalizedResult {
  if (isPartsResult(value)) return fromParts(value);
  if (typeof value === "string" && toText === undefined) return asText(value);
  if (value === undefined && toText === undefined) return { content: [], text: "" };
  // With a `toText`, JSON is only attempted to check the value, and only if that is not obvious.
  if (toText !== undefined && value !== undefined && !isSurelyJson(value)) stringify(value);
  const text = toText === undefined ? stringify(value) : toText(value as never);
  if (typeof text !== "string") throw new ToolError("invalid-output", "toText must return a string");
  return { ...asText(text), ...(value !== undefined && { data: value }) };
}

function fromParts({ content, data }: PartsResult): NormalizedResult {
  const structured = content.find((part) => part.type === "structured");
  const value = data === undefined ? structured?.data : data;
  if (data !== undefined) stringify(data);
  const text = content.map(readPart).join("\n");
  return { content, text, ...(value !== undefined && { data: value }) };
}

function readPart(part: ContentPart): string {
  return part.type === "structured" ? stringify(part.data) : partToText(part);
}

function asText(text: string): NormalizedResult {
  return { content: [{ type: "text", text }], text };
}

function stringify(value: unknown): string {
  const json = writeJson(value);
  if (json === undefined) throw notJson(`a ${typeof value} is not a JSON value`);
  // Looked for after writing, which has refused circles.
  const emptied = isSurelyJson(value) ? undefined : findEmptied(value);
  if (emptied !== undefined) throw notJson(`JSON has no ${emptied}`);
  return json;
}

function writeJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw notJson(describeThrown(cause).split("\n")[0]!, cause);
  }
}

function notJson(why: string, cause?: unknown): ToolError {
  return new ToolError("invalid-output", `the result cannot be written as JSON: ${why}`, {
    hint: "Return text, plain objects, arrays, numbers, true, false or null.",
    cause,
  });
}

export function isPartsResult(value: unknown): value is PartsResult {
  return (
    isPlainObject(value) &&
    Array.isArray(value.content) &&
    value.content.length > 0 &&
    value.content.every(isContentPart)
  );
}
