import { isPlainObject } from "../shared/json.ts";
import { countOf } from "../shared/text/count-of.ts";
import { trimEndOf } from "../shared/text/trim-end-of.ts";

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

export interface AudioPart {
  readonly type: "audio";
  /** Base64. */
  readonly data: string;
  readonly mimeType: string;
}

/** A resource and its content: `text`, or base64 in `blob`. */
export type ResourcePart = TextResourcePart | BlobResourcePart;

export interface TextResourcePart {
  readonly type: "resource";
  readonly uri: string;
  readonly mimeType?: string;
  readonly text: string;
  readonly blob?: never;
}

export interface BlobResourcePart {
  readonly type: "resource";
  readonly uri: string;
  readonly mimeType?: string;
  readonly blob: string;
  readonly text?: never;
}

/** A link to something that the caller may fetch. */
export interface LinkPart {
  readonly type: "link";
  readonly uri: string;
  readonly name: string;
  /** Shown to people instead of the name. */
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly sizeBytes?: number;
}

export interface StructuredPart {
  readonly type: "structured";
  readonly data: unknown;
}

export type ContentPart = TextPart | ImagePart | AudioPart | ResourcePart | LinkPart | StructuredPart;

/** A part as text for a model: its content, or what kind of thing it is. Throws for data that is not JSON. */
export function partToText(part: ContentPart): string {
  switch (part.type) {
    case "text":
      return part.text;
    case "image":
    case "audio":
      return `[${part.type} ${part.mimeType}, ${countOf(countBytes(part.data), "byte")}]`;
    case "resource":
      if (part.text !== undefined) return `[${part.uri}]\n${part.text}`;
      return `[${[part.uri, part.mimeType].filter(Boolean).join(" ")}, ${countOf(countBytes(part.blob), "byte")}]`;
    case "link":
      return [`[${part.name}: ${part.uri}]`, part.title, part.description].filter(Boolean).join(" ");
    case "structured":
      return JSON.stringify(part.data);
  }
}

function countBytes(base64: string): number {
  return Math.floor((trimEndOf(base64, "=").length * 3) / 4);
}

/** Whether a part holds more than its text says, so that it must be kept when the text is replaced. */
export function isBeyondText(part: ContentPart): part is ImagePart | AudioPart | BlobResourcePart | LinkPart {
  if (part.type === "resource") return part.blob !== undefined;
  return part.type === "image" || part.type === "audio" || part.type === "link";
}

export function isContentPart(value: unknown): value is ContentPart {
  if (!isPlainObject(value)) return false;
  switch (value.type) {
    case "text":
      return isText(value.text);
    case "image":
    case "audio":
      return isText(value.data) && isText(value.mimeType);
    case "resource":
      return isText(value.uri) && isTextOrNone(value.mimeType) && isText(value.text) !== isText(value.blob);
    case "link":
      return isLink(value);
    default:
      return value.type === "structured" && "data" in value;
  }
}

function isLink({ uri, name, title, description, mimeType, sizeBytes }: Record<string, unknown>): boolean {
  const isSizeOrNone = sizeBytes === undefined || Number.isFinite(sizeBytes);
  return [uri, name].every(isText) && [title, description, mimeType].every(isTextOrNone) && isSizeOrNone;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrNone(value: unknown): boolean {
  return value === undefined || isText(value);
}
