/** A line without its end. */
export interface SplitLine {
  readonly bytes: Buffer;
  /** False where it was too long to keep, and only its beginning is here. */
  readonly isWhole: boolean;
}

export interface ByteSplitter {
  /** The lines that are complete by now. */
  push(chunk: Buffer): readonly SplitLine[];
  /** What is left without an end, if anything is. */
  end(): readonly SplitLine[];
}

// More than the longest path.
const beginningBytes = 8192;

/** Splits what comes in chunks into lines, copies only lines that lie in several chunks, and holds no longer ones. */
export function createByteSplitter({ maxBytes }: { maxBytes: number }): ByteSplitter {
  let carried: Buffer[] = [];
  let carriedBytes = 0;

  const carry = (piece: Buffer) => {
    const wasWhole = carriedBytes <= maxBytes;
    carriedBytes += piece.length;
    if (wasWhole) carried.push(piece);
    if (wasWhole && carriedBytes > maxBytes) carried = [Buffer.concat(carried, beginningBytes)];
  };
  const take = (): SplitLine => {
    const line = { bytes: Buffer.concat(carried), isWhole: carriedBytes <= maxBytes };
    carried = [];
    carriedBytes = 0;
    return line;
  };

  return {
    push(chunk) {
      const lines: SplitLine[] = [];
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        const piece = chunk.subarray(start, end);
        if (carriedBytes === 0 && piece.length <= maxBytes) lines.push({ bytes: piece, isWhole: true });
        else {
          carry(piece);
          lines.push(take());
        }
        start = end + 1;
      }
      if (start < chunk.length) carry(chunk.subarray(start));
      return lines;
    },
    end: () => (carriedBytes === 0 ? [] : [take()]),
  };
}

const newline = 0x0a;
