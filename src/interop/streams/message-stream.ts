import type { Fields } from "../fields.ts";
import { maxArgumentCharacters } from "../read-arguments.ts";

/** One vendor's way of sending a message piece by piece. */
export interface StreamFormat {
  /** Whether a chunk is of this vendor's streams. */
  recognises(chunk: Fields): boolean;
  open(): MessageStream;
}

export interface MessageStream {
  /** What is not about the message is ignored: vendors add kinds of chunks all the time. */
  add(chunk: Fields): void;
  calls(): readonly StreamedCall[];
  /** The message so far, as the vendor wants it back in the transcript. */
  message(): unknown;
}

export interface StreamedCall {
  readonly id?: string;
  readonly name: string;
  /** Text as far as it came, or a value where the vendor sends it in one piece. */
  readonly arguments: unknown;
  /** The vendor has said that no more will come. */
  readonly hasEnded: boolean;
  /** Why it cannot be known what the arguments are. */
  readonly problem?: string;
  /** What was written is no JSON and not meant to be. */
  readonly isFreeForm?: true;
}

/** Text that grows no further than one piece past what is read at all. */
export function appendText(text: string, more: unknown): string {
  return typeof more === "string" && text.length <= maxArgumentCharacters ? text + more : text;
}
