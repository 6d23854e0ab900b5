import { Deadline, DeadlineReached } from "../../../../shared/deadline.ts";
import { ToolError } from "../../../../tool/tool-error.ts";
import { plainText } from "../output/plain-text.ts";
import { type LogPart, readLogPart } from "./read-log-part.ts";
import type { LineFinding } from "./readiness.ts";

/** Which lines of a text match a pattern from outside, counted from 0, without being slowed by how it is written. */
export type FilterLines = (
  text: string,
  pattern: string,
  options: { readonly signal: AbortSignal },
) => Promise<readonly number[]>;

export interface OutputRequest {
  /** Bytes from the beginning; where the last reading ended. */
  readonly cursor?: number;
  /** Only the lines that match it. A line counts when it is complete, or has been left as it is for a moment. */
  readonly pattern?: string;
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

interface OutputPart {
  readonly text: string;
  /** Where to go on. */
  readonly cursor: number;
  readonly hasMore: boolean;
}

export interface JobOutputReader {
  read(request: OutputRequest): Promise<OutputPart>;
  /** The first line from the cursor on that matches. */
  findLine(pattern: string, from: { cursor: number; signal: AbortSignal }): Promise<LineFinding>;
}

/** Reads a job's output from its file, while the job writes on. */
export function createJobOutputReader(
  file: string,
  { filterLines, isRunning }: { filterLines: FilterLines; isRunning: () => boolean },
): JobOutputReader {
  // Whether it runs is asked before the file is read: what is printed in between is for the next time.
  const readPart = (cursor: number, maxBytes: number) =>
    readLogPart(file, { cursor, maxBytes, isGrowing: isRunning() });

  let acceptedPattern: string | undefined;
  const readMatching = async (
    cursor: number,
    { pattern, maxBytes, signal }: { pattern: string; maxBytes: number; signal: AbortSignal },
  ): Promise<Omit<OutputPart, "text"> & { readonly lines: readonly string[] }> => {
    const part = await readPart(cursor, maxPartBytes);
    const { text, end, openLine } = takeLines(part);
    // The first time also without a line, so that a pattern that makes no sense is refused at once.
    if (text === "" && pattern === acceptedPattern) return { lines: [], cursor: end, hasMore: false };
    const matching = await withinTime(signal, (inTime) => filterLines(text, pattern, { signal: inTime }));
    acceptedPattern = pattern;
    const lines = matching.length === 0 ? [] : text.split("\n");
    const found: string[] = [];
    let room = maxBytes;
    for (const index of matching) {
      const line = lines[index] ?? "";
      room -= Buffer.byteLength(line) + 1;
      // The first one is given in any case, or a long line would never be got past.
      if (found.length > 0 && room < 0)
        return { lines: found, cursor: startOfLine(part, index), hasMore: true };
      found.push(line);
    }
    // A line that may go on is looked at again, unless it was given.
    const isOpenGiven = found.length > 0 && matching.at(-1) === openLine?.index;
    const next = openLine === undefined || isOpenGiven ? end : openLine.start;
    return {
      lines: found,
      cursor: next,
      hasMore: next > part.start && next < part.size && openLine === undefined,
    };
  };

  return {
    async read({ cursor = 0, pattern, maxBytes = defaultBytes, signal = new AbortController().signal }) {
      checkRange(cursor, maxBytes);
      if (pattern !== undefined) {
        const { lines, ...rest } = await readMatching(cursor, { pattern, maxBytes, signal });
        return { text: lines.map((line) => `${line}\n`).join(""), ...rest };
      }
      const { bytes, end, size } = await readPart(cursor, Math.min(maxBytes, maxPartBytes));
      return {
        text: plainText(bytes.toString("utf8")),
        cursor: end,
        hasMore: bytes.length > 0 && end < size,
      };
    },
    async findLine(pattern, { cursor, signal }) {
      for (let from = cursor; ; ) {
        const found = await readMatching(from, { pattern, maxBytes: 0, signal });
        const [line] = found.lines;
        if (line !== undefined) return { line, cursor: found.cursor };
        if (!found.hasMore) return { cursor: found.cursor };
        from = found.cursor;
      }
    },
  };
}

const maxFilterMs = 30_000;

/** However long a pattern takes, whoever looks for it is answered. */
async function withinTime<Result>(
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const deadline = new Deadline(caller);
  deadline.start(maxFilterMs);
  try {
    return await deadline.race(work(deadline.signal));
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error;
    throw new ToolError("timed-out", `the pattern was looked for longer than ${maxFilterMs} ms`);
  } finally {
    deadline.close();
  }
}

const defaultBytes = 64 * 1024;
// As much as is held in memory and searched at a time.
const maxPartBytes = 2 ** 20;
// The longest character has four bytes; with less room nothing could ever be read.
const minBytes = 4;

function checkRange(cursor: number, maxBytes: number): void {
  if (!Number.isSafeInteger(cursor) || cursor < 0) {
    throw new ToolError("invalid-input", `the cursor must be a whole number from 0 on, not ${cursor}`);
  }
  if (!Number.isSafeInteger(maxBytes) || maxBytes < minBytes) {
    throw new ToolError("invalid-input", `maxBytes must be a whole number from ${minBytes} on`);
  }
}

const newline = 0x0a;

interface TakenLines {
  /** Each with its end. */
  readonly text: string;
  readonly end: number;
  /** The last one, where it may go on: it has been left as it is for a while, as a prompt is. */
  readonly openLine?: { readonly index: number; readonly start: number };
}

function takeLines(part: LogPart): TakenLines {
  const { bytes, start } = part;
  const lastEnd = bytes.lastIndexOf(newline) + 1;
  // A line that is longer than a part can be is taken in pieces.
  const isTooLong = lastEnd === 0 && bytes.length > maxPartBytes / 2;
  const isRestTaken = lastEnd < bytes.length && (isTooLong || !part.isUnfinished || isQuiet(part));
  const end = isRestTaken ? bytes.length : lastEnd;
  const text = plainLines(bytes.toString("utf8", 0, end) + (isRestTaken ? "\n" : ""));
  if (!isRestTaken || isTooLong || !part.isUnfinished) return { text, end: start + end };
  const index = text.split("\n").length - 2;
  return { text, end: start + end, openLine: { index, start: start + lastEnd } };
}

/** Line by line where there is anything to take away, so that as many lines stay. */
function plainLines(text: string): string {
  return plainText(text) === text ? text : text.split("\n").map(plainText).join("\n");
}

function startOfLine({ bytes, start }: LogPart, line: number): number {
  let at = 0;
  for (let passed = 0; passed < line; passed++) at = bytes.indexOf(newline, at) + 1;
  return start + at;
}

const quietMs = 200;

function isQuiet({ end, size, modifiedAtMs }: LogPart): boolean {
  return end === size && Date.now() - modifiedAtMs > quietMs;
}
