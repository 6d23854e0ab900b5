import { DocumentError } from "../../../shared/front-matter/document-error.ts";

/** A person who reads a document must see all that a model will be told. */
export function refuseUnseen(text: string): void {
  const at = text.search(unseen);
  if (at === -1) return;
  const line = text.slice(0, at).split(/\r\n|\r|\n/).length;
  const code = text.codePointAt(at)!.toString(16).toUpperCase().padStart(4, "0");
  throw new DocumentError(line, `there is a character that cannot be seen, U+${code}; remove it`);
}

// Controls but for tabs and line breaks, what turns the direction of writing, and letters without a shape. What joins
// signs into one is part of many languages and stays.
const unseen = /(?![\n\r\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
