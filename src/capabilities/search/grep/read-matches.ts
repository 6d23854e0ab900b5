/** Receives the lines that ripgrep prints, file by file. */
export interface MatchListener {
  /** Returns whether the file's lines are wanted. */
  onFile(name: string): boolean;
  onLine(line: PrintedLine): void;
  /** A line was too long to read. */
  onOverlong(): void;
  /** The current file turned out to be binary; its earlier lines do not count. */
  onBinary(): void;
}

export interface PrintedLine {
  readonly number: number;
  readonly isMatch: boolean;
  /** Without newline, with marks around each match. */
  readonly bytes: Buffer;
}

/** Makes ripgrep print the format that `createMatchReader` reads. */
export const printArguments: readonly string[] = [
  "--heading",
  "--null",
  "--line-number",
  "--with-filename",
  "--no-context-separator",
];

/**
 * Reads ripgrep's output: a file's name up to a NUL, its numbered lines, and an empty line before the next file.
 * Ripgrep's JSON has the same content, but takes longer to write and parse than the whole search.
 */
export function createMatchReader(listener: MatchListener, { maxLineBytes }: { maxLineBytes: number }) {
  const splitter = createByteSplitter({ maxBytes: maxLineBytes });
  let nameSoFar: Buffer[] = [];
  let state: "name" | "lines" | "unwanted" = "name";

  const takeName = ({ bytes, isWhole }: SplitLine) => {
    const end = bytes.indexOf(0);
    // A name may contain newlines.
    if (end === -1) {
      if (bytes.length > 0 || nameSoFar.length > 0) nameSoFar.push(Buffer.from(bytes), lineEnd);
      return;
    }
    const name = Buffer.concat([...nameSoFar, bytes.subarray(0, end)]).toString();
    nameSoFar = [];
    state = listener.onFile(name) ? "lines" : "unwanted";
    take({ bytes: bytes.subarray(end + 1), isWhole });
  };

  const takeLine = ({ bytes, isWhole }: SplitLine) => {
    const digits = countDigits(bytes);
    // Every line starts with its number; one without is a warning that the file is binary.
    if (digits === 0) {
      state = "unwanted";
      listener.onBinary();
    } else if (isWhole) {
      const number = Number(bytes.toString("latin1", 0, digits));
      listener.onLine({ number, isMatch: bytes[digits] === colon, bytes: bytes.subarray(digits + 1) });
    } else listener.onOverlong();
  };

  const take = (line: SplitLine): void => {
    if (state === "name") takeName(line);
    else if (line.bytes.length === 0) state = "name";
    else if (state === "lines") takeLine(line);
  };

  return {
    push(chunk: Buffer): void {
      for (const line of splitter.push(chunk)) take(line);
    },
    end(): void {
      for (const line of splitter.end()) take(line);
    },
  };
}

const lineEnd = Buffer.from("\n");
const colon = 0x3a;

function countDigits(line: Buffer): number {
  let count = 0;
  while (line[count]! >= 0x30 && line[count]! <= 0x39) count += 1;
  return count;
}

/** A line without its newline. */
export interface SplitLine {
  readonly bytes: Buffer;
  /** False if the line was too long and only its start is kept. */
  readonly isWhole: boolean;
}

// Longer than any path.
const beginningBytes = 8192;

/**
 * Splits chunks into lines of at most `maxBytes`. Lines that span chunks are assembled in one reused buffer, because
 * allocating megabytes takes longer than everything done with them.
 */
export function createByteSplitter({ maxBytes }: { maxBytes: number }) {
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
    /** Returns the lines completed by this chunk; they are valid until the next call. */
    push(chunk: Buffer): readonly SplitLine[] {
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
    /** Returns the rest that has no newline, if there is any. */
    end(): readonly SplitLine[] {
      if (rest !== undefined) carry(rest);
      rest = undefined;
      return carriedBytes === 0 ? [] : [take()];
    },
  };
}

const newline = 0x0a;
// The capacity of a pipe.
const startBytes = 64 * 1024;
