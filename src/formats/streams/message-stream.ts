import type { Fields } from "../fields.ts";
import { maxArgumentCharacters } from "../read-arguments.ts";

/** A vendor's streaming format. */
export interface StreamFormat {
  /** Whether a chunk belongs to this vendor's streams. */
  recognises(chunk: Fields): boolean;
  open(): MessageStream;
}

export interface MessageStream {
  /** Ignores unknown chunks: vendors add kinds of chunks all the time. */
  add(chunk: Fields): void;
  calls(): readonly StreamedCall[];
  /** The message so far, as the vendor wants it back in the transcript. */
  message(): unknown;
}

export interface StreamedCall {
  readonly id?: string;
  readonly name: string;
  /** The text so far, or a value if the vendor sends it in one piece. */
  readonly arguments: unknown;
  /** The vendor has marked the call as complete. */
  readonly hasEnded: boolean;
  /** Why the arguments are unclear. */
  readonly problem?: string | undefined;
  /** The arguments are free text, not JSON. */
  readonly isFreeForm?: true;
}

/** Appends a piece of text, unless the text is already longer than any that is read. */
export function appendText(text: string, more: unknown): string {
  return typeof more === "string" && text.length <= maxArgumentCharacters ? text + more : text;
}
