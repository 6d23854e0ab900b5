import { plainText } from "../../../shared/text/plain-text.ts";
import { wholeEnd, wholeStart } from "./whole-characters.ts";

/** The room that a part of a stream may take up once it is text. */
export interface Room {
  readonly bytes: number;
  /** Including `perLine` for every line. */
  readonly characters: number;
  readonly perLine: number;
}

/**
 * Finds the end of a beginning of the stream that fits: the end of a line, unless most of the room would stay empty.
 */
export function headEnd(bytes: Buffer, room: Room): number {
  let left = room;
  let end = 0;
  for (;;) {
    const newline = bytes.indexOf(lineFeed, end);
    if (newline === -1) break;
    const after = takeFrom(left, bytes.subarray(end, newline + 1));
    if (after === undefined) break;
    left = after;
    end = newline + 1;
  }
  if (isMostlyTaken(left, room)) return end;
  const line = bytes.subarray(end, lineEndAfter(bytes, end));
  return end + partOf(line, left, (size) => line.subarray(0, wholeEnd(line, size)));
}

/** Finds the start of an end of the stream that fits: like `headEnd`, from behind. */
export function tailStart(bytes: Buffer, room: Room): number {
  let left = room;
  let start = bytes.length;
  for (;;) {
    const newline = start < 2 ? -1 : bytes.lastIndexOf(lineFeed, start - 2);
    if (newline === -1) break;
    const after = takeFrom(left, bytes.subarray(newline + 1, start));
    if (after === undefined) break;
    left = after;
    start = newline + 1;
  }
  if (isMostlyTaken(left, room)) return start;
  const newline = start < 2 ? -1 : bytes.lastIndexOf(lineFeed, start - 2);
  const line = bytes.subarray(newline + 1, start);
  return start - partOf(line, left, (size) => line.subarray(wholeStart(line, line.length - size)));
}

export function toText(bytes: Buffer): string {
  return plainText(bytes.toString("utf8"));
}

const lineFeed = 0x0a;

/** The room that is left, if the line fits. */
function takeFrom(left: Room, line: Buffer): Room | undefined {
  const text = toText(line);
  const bytes = left.bytes - Buffer.byteLength(text);
  const characters = left.characters - text.length - left.perLine;
  return bytes < 0 || characters < 0 ? undefined : { ...left, bytes, characters };
}

function isMostlyTaken(left: Room, room: Room): boolean {
  return left.bytes <= room.bytes / 2 || left.characters <= room.characters / 2;
}

function lineEndAfter(bytes: Buffer, start: number): number {
  const newline = bytes.indexOf(lineFeed, start);
  return newline === -1 ? bytes.length : newline;
}

/** Takes fewer bytes until the text fits: an invalid byte becomes a replacement character of three bytes. */
function partOf(line: Buffer, { bytes, characters, perLine }: Room, take: (size: number) => Buffer): number {
  const room = characters - perLine;
  // No character has more than four bytes.
  let size = Math.min(line.length, bytes, Math.max(0, room) * 4);
  while (size > 0) {
    const raw = take(size);
    const text = toText(raw);
    const excess = Math.max(Buffer.byteLength(text) - bytes, text.length - room);
    if (excess <= 0) return raw.length;
    size -= Math.ceil(excess / 3);
  }
  return 0;
}
