/** A line without its newline. */
export interface SplitLine {
  readonly bytes: Buffer;
  /** False if the line was too long and only its start is kept. */
  readonly isWhole: boolean;
}

export interface ByteSplitter {
  /** Returns the lines completed by this chunk; they are valid until the next call. */
  push(chunk: Buffer): readonly SplitLine[];
  /** Returns the rest that has no newline, if there is any. */
  end(): readonly SplitLine[];
}

// Longer than any path.
const beginningBytes = 8192;

/**
 * Splits chunks into lines of at most `maxBytes`. Lines that span chunks are assembled in one reused buffer, because
 * allocating megabytes takes longer than everything done with them.
 */
export function createByteSplitter({ maxBytes }: { maxBytes: number }): ByteSplitter {
  let carried = Buffer.alloc(0);
  /** Length of the line so far, even if less of it is kept. */
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
      // Not carried yet: `carried` may hold a line that was just returned.
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
// The capacity of a pipe.
const startBytes = 64 * 1024;
