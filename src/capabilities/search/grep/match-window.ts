import { isAscii } from "node:buffer";
import type { MatchMarks } from "./match-marks.ts";

/** The part of a line to show, and the number of characters before and after it, without marks. */
export interface MatchWindow {
  readonly bytes: Buffer;
  readonly before: number;
  readonly after: number;
  /** Whether the line ends inside a match; set only if the window does not show it. */
  readonly endsInside?: boolean;
}

// Generous, because a character may take four bytes and have two marks before it.
const leadBytes = 4096;
const windowBytes = 32 * 1024;

/** Lines of minified files may be megabytes long, so only the part near the first match is decoded. */
export function takeWindow(line: Buffer, marks: MatchMarks): MatchWindow {
  if (line.length <= leadBytes + windowBytes) return { bytes: line, before: 0, after: 0 };
  const places = [marks.open, marks.close].map((mark) => line.indexOf(mark)).filter((at) => at !== -1);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const start = characterStart(line, Math.max(0, first - leadBytes));
  const end = beforeMark(line, characterStart(line, Math.min(line.length, start + windowBytes)), marks);
  const rest = line.subarray(end);
  const [opened, closed] = [findPlaces(rest, marks.open), findPlaces(rest, marks.close)];
  const markCount = opened.count + closed.count;
  return {
    bytes: line.subarray(start, end),
    before: countCharacters(line.subarray(0, start)),
    after: countCharacters(rest) - markCount * marks.open.length,
    ...(markCount > 0 && { endsInside: opened.last > closed.last }),
  };
}

/** The nearest start of a character at or before this offset. */
function characterStart(line: Buffer, at: number): number {
  let start = at;
  while (start > 0 && start > at - 4 && isContinuation(line[start]!)) start -= 1;
  return start;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** Moves a cut so that it does not split a mark. */
function beforeMark(line: Buffer, at: number, { open, close }: MatchMarks): number {
  const reach = open.length - 1;
  const around = line.subarray(at - reach, at + reach);
  const inside = Math.max(around.indexOf(open), around.indexOf(close));
  return inside === -1 ? at : at - reach + inside;
}

/** The number of marks and the last one's offset; searching from the end would take many times as long. */
function findPlaces(bytes: Buffer, mark: string): { count: number; last: number } {
  let count = 0;
  let last = -1;
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    count += 1;
    last = at;
  }
  return { count, last };
}

const blockBytes = 4096;

/** The length of the decoded text; ASCII blocks, which most are, need no decoding. */
function countCharacters(bytes: Buffer): number {
  let count = 0;
  for (let start = 0; start < bytes.length; ) {
    const end = characterStart(bytes, Math.min(start + blockBytes, bytes.length));
    const block = bytes.subarray(start, end);
    start = end;
    count += isAscii(block) ? block.length : block.toString().length;
  }
  return count;
}
