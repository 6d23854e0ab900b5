import { isPlainObject } from "../shared/json.ts";

export interface TextPart {
  readonly type: "text";
  readonly text: string;
}

export interface ImagePart {
  readonly type: "image";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

export interface StructuredPart {
  readonly type: "structured";
  readonly data: unknown;
}

export type ContentPart = TextPart | ImagePart | StructuredPart;

/** A result written as parts, for tools that answer with more than one string or value. */
export interface PartsResult {
  readonly content: readonly ContentPart[];
  readonly data?: unknown;
}

/** What `run` may return: a string, a JSON value, parts, or nothing. */
export type ToolReturn = unknown;

/** What every return value becomes: parts for the caller, one text for the model, data for code. */
export interface NormalizedResult {
  readonly content: readonly ContentPart[];
  readonly text: string;
  readonly data?: unknown;
}

export function normalizeResult(value: ToolReturn, toText?: (value: never) => string): NormalizedResult {
  if (isPartsResult(value)) return fromParts(value);
  if (toText !== undefined) {
    const text = toText(value as never);
    return { content: [{ type: "text", text }], text, data: value };
  }
  if (typeof value === "string") return { content: [{ type: "text", text: value }], text: value };
  if (value === undefined) return { content: [], text: "" };
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`a ${typeof value} is not a JSON value`);
  return { content: [{ type: "text", text }], text, data: value };
}

function fromParts({ content, data }: PartsResult): NormalizedResult {
  const structured = content.find((part) => part.type === "structured");
  const value = data ?? structured?.data;
  const text = content.map(partToText).join("\n");
  return { content, text, ...(value !== undefined && { data: value }) };
}

function partToText(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
      return `[image ${part.mimeType}, ${Math.floor((part.data.length * 3) / 4)} bytes]`;
    case "structured":
      return JSON.stringify(part.data) ?? "";
  }
}

export function isPartsResult(value: unknown): value is PartsResult {
  return (
    isPlainObject(value) &&
    Array.isArray(value.content) &&
    value.content.length > 0 &&
    value.content.every(isContentPart)
  );
}

function isContentPart(value: unknown): value is ContentPart {
  if (!isPlainObject(value)) return false;
  if (value.type === "text") return typeof value.text === "string";
  if (value.type === "image") return typeof value.data === "string" && typeof value.mimeType === "string";
  return value.type === "structured" && "data" in value;
}
