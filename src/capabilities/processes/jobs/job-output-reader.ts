import { type FileHandle, open } from "node:fs/promises";
import { filterLines } from "../../../machine/ripgrep/run-ripgrep.ts";
import { DeadlineReached, withDeadline } from "../../../shared/deadline.ts";
import { plainText } from "../../../shared/text/plain-text.ts";
import type { OutputOptions } from "../../../tool/services/processes.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { wholeEnd, wholeStart } from "../output/whole-characters.ts";
import type { LineFinding } from "./readiness.ts";

/** With a pattern, a line counts when it is complete, or unchanged for a moment (such as a prompt). */
export interface OutputRequest extends OutputOptions {
  readonly signal?: AbortSignal;
}

interface OutputPart {
  readonly text: string;
  /** Where to read on. */
  readonly cursor: number;
  readonly hasMore: boolean;
}

/** Reads a job's output from its file while the job may still write to it. */
export function createJobOutputReader(file: string, { isRunning }: { readonly isRunning: () => boolean }) {
  // Checks whether the job runs before reading: output printed in between belongs to the next read.
  const readPart = (cursor: number, maxBytes: number) =>
    readLogPart(file, { cursor, maxBytes, isGrowing: isRunning() });

  let acceptedPattern: string | undefined;
  const readMatching = async (
    cursor: number,
    { pattern, maxBytes, signal }: { pattern: string; maxBytes: number; signal: AbortSignal },
  ): Promise<Omit<OutputPart, "text"> & { readonly lines: readonly string[] }> => {
    const part = await readPart(cursor, maxPartBytes);
    const { text, end, openLine } = takeLines(part);
    // A new pattern is tried even without a line, so that an invalid one is refused immediately.
    if (text === "" && pattern === acceptedPattern) return { lines: [], cursor: end, hasMore: false };
    const matching = await filterInTime(text, pattern, signal);
    acceptedPattern = pattern;
    const lines = matching.length === 0 ? [] : text.split("\n");
    const found: string[] = [];
    let room = maxBytes;
    for (const index of matching) {
      const line = lines[index] ?? "";
      room -= Buffer.byteLength(line) + 1;
      // The first match is always returned, or reading could never get past a long line.
      if (found.length > 0 && room < 0)
        return { lines: found, cursor: startOfLine(part, index), hasMore: true };
      found.push(line);
    }
    // An unfinished line is searched again next time, unless it was returned.
    const isOpenGiven = found.length > 0 && matching.at(-1) === openLine?.index;
    const next = openLine === undefined || isOpenGiven ? end : openLine.start;
    return {
      lines: found,
      cursor: next,
      hasMore: next > part.start && next < part.size && openLine === undefined,
    };
  };

  return {
    async read(request: OutputRequest): Promise<OutputPart> {
      const { cursor = 0, pattern, maxBytes = defaultBytes } = request;
      const { signal = new AbortController().signal } = request;
      checkRange(cursor, maxBytes);
      if (pattern !== undefined) {
        const { lines, ...rest } = await readMatching(cursor, { pattern, maxBytes, signal });
        return { text: lines.map((line) => `${line}\n`).join(""), ...rest };
      }
      const part = await readPart(cursor, Math.min(maxBytes, maxPartBytes));
      const hasMore = part.bytes.length > 0 && part.end < part.size;
      // A part ends with a line, if it has the end of one.
      const lastEnd = hasMore ? part.bytes.lastIndexOf(newline) + 1 : 0;
      const bytes = lastEnd === 0 ? part.bytes : part.bytes.subarray(0, lastEnd);
      return { text: plainText(bytes.toString("utf8")), cursor: part.start + bytes.length, hasMore };
    },
    /** The first matching line at or after the cursor. */
    async findLine(
      pattern: string,
      { cursor, signal }: { cursor: number; signal: AbortSignal },
    ): Promise<LineFinding> {
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

/** Answers the caller in time, however long the pattern takes. */
function filterInTime(text: string, pattern: string, caller: AbortSignal): Promise<readonly number[]> {
  return withDeadline(maxFilterMs, caller, (deadline) =>
    deadline.race(filterLines(text, pattern, { signal: deadline.signal })),
  ).catch((error: unknown) => {
    if (!(error instanceof DeadlineReached)) throw error;
    throw new ToolError("timed-out", `the search for the pattern took longer than ${maxFilterMs} ms`);
  });
}

const defaultBytes = 64 * 1024;
// How much is held in memory and searched at a time.
const maxPartBytes = 2 ** 20;
// The longest UTF-8 character; with less room, reading could never get past it.
const minBytes = 4;

function checkRange(cursor: number, maxBytes: number): void {
  if (!Number.isSafeInteger(cursor) || cursor < 0) {
    throw new ToolError("invalid-input", `the cursor must be a whole number, 0 or above, not ${cursor}`);
  }
  if (!Number.isSafeInteger(maxBytes) || maxBytes < minBytes) {
    throw new ToolError("invalid-input", `maxBytes must be a whole number, ${minBytes} or above`);
  }
}

const newline = 0x0a;

/**
 * Takes the lines of a part, each with a newline at its end. `openLine` is the last one, if it has no newline yet but is
 * taken because it stayed unchanged for a while, like a prompt.
 */
function takeLines(part: LogPart) {
  const { bytes, start } = part;
  const lastEnd = bytes.lastIndexOf(newline) + 1;
  // A line longer than a part is taken in pieces.
  const isTooLong = lastEnd === 0 && bytes.length > maxPartBytes / 2;
  const isRestTaken = lastEnd < bytes.length && (isTooLong || !part.isUnfinished || isQuiet(part));
  const end = isRestTaken ? bytes.length : lastEnd;
  const text = plainLines(bytes.toString("utf8", 0, end) + (isRestTaken ? "\n" : ""));
  if (!isRestTaken || isTooLong || !part.isUnfinished) return { text, end: start + end, openLine: undefined };
  const index = text.split("\n").length - 2;
  return { text, end: start + end, openLine: { index, start: start + lastEnd } };
}

/** Cleans each line on its own if there is anything to remove, so that the number of lines stays the same. */
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

/** A part of a job's output. */
interface LogPart {
  /** Contains only whole characters. */
  readonly bytes: Buffer;
  /** Offset in the file. */
  readonly start: number;
  readonly end: number;
  /** Size of the whole file. */
  readonly size: number;
  /** Whether more may follow. */
  readonly isUnfinished: boolean;
  readonly modifiedAtMs: number;
}

/** Reads from the cursor while the job may still write. Never splits a character or control sequence between parts. */
async function readLogPart(
  path: string,
  { cursor, maxBytes, isGrowing }: { cursor: number; maxBytes: number; isGrowing: boolean },
): Promise<LogPart> {
  const file = await openLog(path);
  if (file === undefined) return { ...nothing, isUnfinished: isGrowing };
  try {
    const { size, mtimeMs } = await file.stat();
    const from = Math.min(cursor, size);
    const read = await readFully(file, { from, length: Math.min(maxBytes, size - from) });
    const isUnfinished = isGrowing || from + read.length < size;
    const skipped = from === 0 ? 0 : wholeStart(read, 0);
    const bytes = read.subarray(skipped, isUnfinished ? safeEnd(read) : read.length);
    const start = from + skipped;
    return { bytes, start, end: start + bytes.length, size, isUnfinished, modifiedAtMs: mtimeMs };
  } finally {
    await file.close();
  }
}

const nothing = { bytes: Buffer.alloc(0), start: 0, end: 0, size: 0, modifiedAtMs: 0 };

function openLog(path: string): Promise<FileHandle | undefined> {
  return open(path, "r").catch((error: NodeJS.ErrnoException) => {
    // Nothing was printed yet, or the file was removed.
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

async function readFully(
  file: FileHandle,
  { from, length }: { from: number; length: number },
): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, from + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** The last offset that is not inside a character or a control sequence. */
function safeEnd(bytes: Buffer): number {
  const end = wholeEnd(bytes, bytes.length);
  const begin = bytes.lastIndexOf(0x1b, end - 1);
  // A sequence at the very start is taken as it is, or reading would never get past it.
  if (begin < 1 || end - begin > maxSequenceBytes) return end;
  return wholeSequence.test(bytes.toString("latin1", begin, end)) ? end : begin;
}

const maxSequenceBytes = 256;
const wholeSequence = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07]*\x07|[ -/]*[0-OQ-WYZ\\`-~])/;
