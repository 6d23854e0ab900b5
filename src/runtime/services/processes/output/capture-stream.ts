import { plainText } from "../../../../shared/text/plain-text.ts";
import type { CapturedStream } from "../command/running-command.ts";
import { binaryKind } from "./binary-output.ts";
import { createHeadAndTail } from "./head-and-tail.ts";
import { wholeEnd, wholeStart } from "./whole-characters.ts";

/** Share of the kept bytes that comes from the start. */
const headShare = 0.8;

export interface StreamCapture {
  add(chunk: Buffer): void;
  isBinary(): boolean;
  read(): CapturedStream;
}

/** Keeps what fits into `maxBytes` of one stream, as text for a model. */
export function captureStream(maxBytes: number): StreamCapture {
  const headBytes = Math.floor(maxBytes * headShare);
  const bytes = createHeadAndTail({ headBytes, tailBytes: maxBytes - headBytes });
  let last: CapturedStream = { text: "", totalBytes: 0, omittedBytes: 0 };
  return {
    add: bytes.add,
    isBinary: () => binaryKind(bytes.head()) !== undefined,
    read() {
      const { totalBytes } = bytes;
      if (totalBytes === last.totalBytes) return last;
      const binary = binaryKind(bytes.head());
      if (binary === undefined) {
        last = { ...fitText(bytes.head(), bytes.tail(), { totalBytes, maxBytes }), totalBytes };
      } else {
        const text = `[binary output (${binary}), ${totalBytes} bytes, not shown]`;
        last = { text, totalBytes, omittedBytes: totalBytes, binary };
      }
      return last;
    },
  };
}

interface Sizes {
  readonly totalBytes: number;
  readonly maxBytes: number;
}

function fitText(
  head: Buffer,
  tail: Buffer,
  { totalBytes, maxBytes }: Sizes,
): { text: string; omittedBytes: number } {
  if (head.length + tail.length === totalBytes) {
    const text = toText(tail.length === 0 ? head : Buffer.concat([head, tail]));
    if (Buffer.byteLength(text) <= maxBytes) return { text, omittedBytes: 0 };
  }
  const room = maxBytes - noteBytes;
  const headRoom = Math.floor(room * headShare);
  const beginning = fitInto(headRoom, (size) =>
    head.subarray(0, wholeEnd(head, Math.min(size, head.length))),
  );
  const ending = fitInto(room - headRoom, (size) =>
    tail.subarray(wholeStart(tail, Math.max(0, tail.length - size))),
  );
  const omittedBytes = totalBytes - beginning.rawBytes - ending.rawBytes;
  const note = `\n\n... [${omittedBytes} bytes left out] ...\n\n`;
  return { text: beginning.text + note + ending.text, omittedBytes };
}

// The note on what was left out counts towards the limit; this is enough for any number.
const noteBytes = 64;

/** Takes fewer bytes until the text fits: an invalid byte becomes a replacement character of three bytes. */
function fitInto(roomBytes: number, take: (size: number) => Buffer): { text: string; rawBytes: number } {
  let size = roomBytes;
  while (size > 0) {
    const raw = take(size);
    const text = toText(raw);
    const textBytes = Buffer.byteLength(text);
    if (textBytes <= roomBytes) return { text, rawBytes: raw.length };
    size -= Math.ceil((textBytes - roomBytes) / 3);
  }
  return { text: "", rawBytes: 0 };
}

function toText(bytes: Buffer): string {
  return plainText(bytes.toString("utf8"));
}
