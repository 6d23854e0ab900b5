import { isAscii } from "node:buffer";
import type { MatchMarks } from "./match-marks.ts";

/** The part of a line that may be shown, and how many characters there are on either side of it, without marks. */
export interface MatchWindow {
  readonly bytes: Buffer;
  readonly before: number;
  readonly after: number;
  /** Whether the line ends inside a match, where the window cannot tell. */
  readonly endsInside?: boolean;
}

// Some characters take four bytes, and before each there may be two marks.
const leadBytes = 4096;
const windowBytes = 32 * 1024;

/** A line of a minified file may be megabytes long: only what is near the first match is ever decoded. */
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

/** The nearest place at or before this one where a character begins. */
function characterStart(line: Buffer, at: number): number {
  let start = at;
  while (start > 0 && start > at - 4 && isContinuation(line[start]!)) start -= 1;
  return start;
}

function isContinuation(byte: number): boolean {
  return byte >= 0x80 && byte < 0xc0;
}

/** A cut never goes through a mark. */
function beforeMark(line: Buffer, at: number, { open, close }: MatchMarks): number {
  const reach = open.length - 1;
  const around = line.subarray(at - reach, at + reach);
  const inside = Math.max(around.indexOf(open), around.indexOf(close));
  return inside === -1 ? at : at - reach + inside;
}

/** How often, and where the last time: to look for that from the end takes many times as long. */
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

/** As many as the decoded text would have: most blocks are plain, and need not be decoded for it. */
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
