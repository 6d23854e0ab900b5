import { commonImageTypes } from "../../formats/index.ts";
import { maxMessageCharacters } from "../../kernel/session/index.ts";
import { isPlainObject } from "../../shared/json.ts";

/** One part of a message to an agent. */
export type MessagePart =
  | { readonly type: "text"; readonly text: string }
  /** Bytes, or base64; PNG, JPEG, GIF or WebP. */
  | { readonly type: "image"; readonly data: Uint8Array | string; readonly mimeType: string };

/** A message as the transcript has it: a text, and the images that come with it. */
export interface UserMessage {
  readonly text: string;
  readonly images: readonly MessageImage[];
}

export interface MessageImage {
  readonly mimeType: string;
  /** In base64. */
  readonly data: string;
}

export function textMessage(text: string): UserMessage {
  return { text, images: [] };
}

/** Reads a message. Its text is made well-formed, because providers refuse lone surrogates. */
export function readUserMessage(given: unknown): UserMessage {
  const parts: readonly unknown[] = Array.isArray(given) ? given : [{ type: "text", text: given }];
  const images: MessageImage[] = [];
  let text = "";
  for (const part of parts) {
    const { type, text: words, data, mimeType } = isPlainObject(part) ? part : {};
    if (type === "text" && typeof words === "string") text += words.toWellFormed();
    else if (type === "image") images.push(readImage(data, mimeType));
    else throw new TypeError(wanted);
  }
  if (text.length > maxMessageCharacters)
    throw new TypeError(`agent: a message may have at most ${maxMessageCharacters} characters`);
  if (images.length > maxImages) throw new TypeError(`agent: a message may have at most ${maxImages} images`);
  if (text.trim() === "" && images.length === 0) throw new TypeError(wanted);
  return { text, images };
}

const wanted = "agent: a message must be a string that is not empty, or a list of parts with text or images";
const maxImages = 20;
const maxImageCharacters = 10 * 1024 * 1024;

function readImage(data: unknown, mimeType: unknown): MessageImage {
  if (typeof mimeType !== "string" || !commonImageTypes.has(mimeType))
    throw new TypeError(
      `agent: an image must be ${[...commonImageTypes].join(", ")}; received ${JSON.stringify(mimeType)}`,
    );
  const encoded = data instanceof Uint8Array ? Buffer.from(data).toString("base64") : data;
  if (typeof encoded !== "string" || encoded === "" || encoded.length > maxImageCharacters)
    throw new TypeError("agent: an image must have data, of at most 10 MB in base64");
  if (!/^[\w+/=-]+$/.test(encoded)) throw new TypeError("agent: the data of an image must be base64");
  return { mimeType, data: encoded };
}
