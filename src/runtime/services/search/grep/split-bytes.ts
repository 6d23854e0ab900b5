/** A line without its end. */
export interface SplitLine {
  readonly bytes: Buffer;
  /** False where it was too long to keep, and only its beginning is here. */
  readonly isWhole: boolean;
}

export interface ByteSplitter {
  /** The lines that are complete by now; they are good until the next chunk. */
  push(chunk: Buffer): readonly SplitLine[];
  /** What is left without an end, if anything is. */
  end(): readonly SplitLine[];
}

// More than the longest path.
const beginningBytes = 8192;

/**
 * Splits what comes in chunks into lines, and holds no longer ones than told. Lines that lie in several chunks are all
 * put together in the same place, because new memory for megabytes takes longer than all that is done with them.
 */
export function createByteSplitter({ maxBytes }: { maxBytes: number }): ByteSplitter {
  let carried = Buffer.alloc(0);
  /** As long as the line is, even where that is more than is kept of it. */
  let carriedBytes = 0;
  let rest: Buffer | undefined;

  const carry = (piece: Buffer) => {
    if (carriedBytes + piece.length > carried.length && carried.length < maxBytes)
      grow(carriedBytes + piece.length);
    if (carriedBytes < maxBytes) piece.copy(carried, carriedBytes);
    carriedBytes += piece.length;
  };
  const grow = (neededBytes: number) => {
    const grown = Buffer.allocUnsafeSlow(
      Math.min(maxBytes, Math.max(neededBytes, carried.length * 2, startBytes)),
    );
    carried.copy(grown);
    carried = grown;
  };
  const take = (): SplitLine => {
    const line = asLine(carried, carriedBytes);
    carriedBytes = 0;
    return line;
  };
  const asLine = (bytes: Buffer, lineBytes: number): SplitLine => {
    const isWhole = lineBytes <= maxBytes;
    return { bytes: bytes.subarray(0, isWhole ? lineBytes : beginningBytes), isWhole };
  };

  return {
    push(chunk) {
      const lines: SplitLine[] = [];
      if (rest !== undefined) carry(rest);
      rest = undefined;
      let start = 0;
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
        const piece = chunk.subarray(start, end);
        if (carriedBytes === 0) lines.push(asLine(piece, piece.length));
        else {
          carry(piece);
          lines.push(take());
        }
        start = end + 1;
      }
      // It may not be put where the line is that has just been given.
      if (start < chunk.length) rest = chunk.subarray(start);
      return lines;
    },
    end() {
      if (rest !== undefined) carry(rest);
      rest = undefined;
      return carriedBytes === 0 ? [] : [take()];
    },
  };
}

const newline = 0x0a;
// As much as a pipe gives at once.
const startBytes = 64 * 1024;
