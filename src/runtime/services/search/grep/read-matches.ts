import { createByteSplitter, type SplitLine } from "./split-bytes.ts";

/** What is told of the lines that ripgrep prints, file by file. */
export interface MatchListener {
  /** Whether the lines of this file are wanted. */
  onFile(name: string): boolean;
  onLine(line: PrintedLine): void;
  /** A line too long to look at. */
  onOverlong(): void;
  /** What was told of the file is not to count: it has turned out to be no text. */
  onBinary(): void;
}

export interface PrintedLine {
  readonly number: number;
  readonly isMatch: boolean;
  /** Without its end, and with marks around what matches. */
  readonly bytes: Buffer;
}

/** Makes ripgrep print what is read here. */
export const printArguments: readonly string[] = [
  "--heading",
  "--null",
  "--line-number",
  "--with-filename",
  "--no-context-separator",
];

/**
 * Reads what ripgrep prints: the name of a file up to a NUL, its lines with their numbers, and an empty line before the
 * next file. Its JSON says the same, but takes longer to write, to read and to decode than all of the search.
 */
export function createMatchReader(listener: MatchListener, { maxLineBytes }: { maxLineBytes: number }) {
  const splitter = createByteSplitter({ maxBytes: maxLineBytes });
  let nameSoFar: Buffer[] = [];
  let state: "name" | "lines" | "unwanted" = "name";

  const takeName = ({ bytes, isWhole }: SplitLine) => {
    const end = bytes.indexOf(0);
    // A name may hold line ends.
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
    // Every line has its number in front; what has none is a warning about the file.
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
