/** Splits a server's output into lines, and holds no more than a limit of each. */
export interface MessageLines {
  push(chunk: Buffer): void;
}

export interface LineHandlers {
  onLine(line: string): void;
  /** A line was too long and was skipped; only its beginning and end are known. */
  onSkipped(ends: { head: string; tail: string; bytes: number }): void;
}

export function createMessageLines(maxBytes: number, { onLine, onSkipped }: LineHandlers): MessageLines {
  let held: Buffer[] = [];
  let bytes = 0;
  let skipped: { head: string; tail: Buffer } | undefined;

  const hold = (piece: Buffer) => {
    bytes += piece.length;
    if (skipped !== undefined) {
      skipped.tail = lastOf(Buffer.concat([skipped.tail, lastOf(piece)]));
    } else if (bytes > maxBytes) {
      const all = Buffer.concat([...held, piece]);
      skipped = { head: all.toString("latin1", 0, endBytes), tail: Buffer.from(lastOf(all)) };
      held = [];
    } else if (piece.length > 0) held.push(piece);
  };
  const finish = () => {
    if (skipped !== undefined)
      onSkipped({ head: skipped.head, tail: skipped.tail.toString("latin1"), bytes });
    else onLine((held.length === 1 ? held[0]! : Buffer.concat(held)).toString("utf8"));
    held = [];
    bytes = 0;
    skipped = undefined;
  };

  return {
    push(chunk) {
      let start = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, start)) {
        hold(chunk.subarray(start, end));
        finish();
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
