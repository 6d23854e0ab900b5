import { type FileHandle, open } from "node:fs/promises";
import { wholeEnd, wholeStart } from "../output/whole-characters.ts";

/** A part of a job's output. */
export interface LogPart {
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
export async function readLogPart(
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

async function openLog(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    // Nothing was printed yet, or the file was removed.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
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
