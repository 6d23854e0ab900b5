import { createByteBuffer } from "../web/byte-buffer.ts";

export interface LineHandlers {
  onLine(line: string): void;
  /** A line was too long and was skipped; only its beginning and end are known. */
  onSkipped(ends: { head: string; tail: string; bytes: number }): void;
}

/** Splits a server's output into lines, and holds no more than a limit of each. */
export function createMessageLines(maxBytes: number, { onLine, onSkipped }: LineHandlers) {
  const held = createByteBuffer();
  let bytes = 0;
  let skipped: { head: string; tail: Buffer } | undefined;

  const hold = (piece: Buffer) => {
    bytes += piece.length;
    if (skipped !== undefined) {
      skipped.tail = lastOf(Buffer.concat([skipped.tail, lastOf(piece)]));
    } else if (bytes > maxBytes) {
      const all = held.take(piece);
      skipped = { head: all.toString("latin1", 0, endBytes), tail: Buffer.from(lastOf(all)) };
    } else held.push(piece);
  };
  const finish = (last: Buffer) => {
    if (skipped !== undefined || bytes + last.length > maxBytes) hold(last);
    if (skipped !== undefined)
      onSkipped({ head: skipped.head, tail: skipped.tail.toString("latin1"), bytes });
    else onLine(held.take(last).toString("utf8"));
    bytes = 0;
    skipped = undefined;
  };

  return {
    push(chunk: Buffer): void {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        finish(chunk.subarray(start, end));
        start = end + 1;
      }
      hold(chunk.subarray(start));
    },
  };
}

const endBytes = 200;

function lastOf(buffer: Buffer): Buffer {
  return buffer.subarray(Math.max(0, buffer.length - endBytes));
}
