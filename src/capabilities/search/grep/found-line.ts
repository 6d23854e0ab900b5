import { isAscii } from "node:buffer";
import type { FoundLine } from "../../../tool/services/search.ts";
import { findMarked, type MatchMarks, type Range, withoutMarks } from "./match-marks.ts";
import type { PrintedLine } from "./read-matches.ts";

/** Converts ripgrep's lines to results; a match that spans several lines is marked in each of them. */
export function createLineFinder(
  path: string,
  marks: MatchMarks,
): (line: PrintedLine) => FoundLine | undefined {
  let isInside = false;
  return ({ number, isMatch, bytes }) => {
    const window = takeWindow(bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes, marks);
    // Decoding ASCII as Latin-1 is many times faster.
    const text = window.bytes.toString(isAscii(window.bytes) ? "latin1" : "utf8");
    // If a match ends with a newline, the next printed line consists of its closing mark alone.
    const isOnlyMark = isInside && text === marks.close;
    const marked = findMarked(text, marks, isInside);
    isInside = window.endsInside ?? marked.isInside;
    if (isOnlyMark) return undefined;
    const cut = cutLine(text, { ...marked, ...window, marks });
    return { path, line: number, kind: isMatch ? "match" : "context", ...cut };
  };
}

const carriageReturn = 0x0d;
const maxLineCharacters = 500;
// How many characters before the first match are shown.
const lead = 100;

interface Marked {
  readonly ranges: readonly Range[];
  readonly length: number;
  /** Characters of the line before and after the text. */
  readonly before: number;
  readonly after: number;
  readonly marks: MatchMarks;
}

function cutLine(
  marked: string,
  { ranges, length, before, after, marks }: Marked,
): Pick<FoundLine, "text" | "matches" | "cutBefore" | "cutAfter"> {
  if (before + length + after <= maxLineCharacters)
    return { text: withoutMarks(marked, marks), matches: ranges, cutBefore: 0, cutAfter: 0 };
  const latest = length + after - maxLineCharacters;
  const from = Math.max(0, Math.min((ranges[0]?.[0] ?? 0) - lead, latest));
  // One more on each side, to see whether the cut would split a character.
  const near = sliceWithoutMarks(marked, { from: Math.max(0, from - 1), marks });
  const first = from === 0 ? 0 : 1;
  const start = isSecondHalf(near, first) ? first + 1 : first;
  const wanted = start + maxLineCharacters;
  const end = isSecondHalf(near, wanted) ? wanted - 1 : Math.min(wanted, near.length);
  const text = detach(near.slice(start, end));
  const skipped = from - first + start;
  return {
    text,
    matches: ranges.flatMap((range) => clip(range, { from: skipped, length: text.length })),
    cutBefore: before + skipped,
    cutAfter: length + after - skipped - text.length,
  };
}

/** Slices enough at an offset that is counted without marks; each character has at most two marks before it. */
function sliceWithoutMarks(marked: string, { from, marks }: { from: number; marks: MatchMarks }): string {
  const hasEarlierMarks = [marks.open, marks.close].some((mark) => {
    const at = marked.indexOf(mark);
    return at !== -1 && at < from;
  });
  // Only empty matches can come earlier, because the slice starts at the first match that is not empty.
  const source = hasEarlierMarks ? withoutMarks(marked, marks) : marked;
  const enough = maxLineCharacters + 3 + 2 * (maxLineCharacters + 4) * marks.open.length;
  return withoutMarks(source.slice(from, from + enough), marks);
}

function clip([start, end]: Range, { from, length }: { from: number; length: number }): Range[] {
  const clipped: Range = [Math.max(0, start - from), Math.min(length, end - from)];
  return clipped[0] < clipped[1] ? [clipped] : [];
}

/** Whether a cut here would split the two UTF-16 halves of a character. */
function isSecondHalf(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}

/** Copies the string: a slice would keep the whole original in memory. */
function detach(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le");
}

/** The part of a line to show, and the number of characters before and after it, without marks. */
interface MatchWindow {
  readonly bytes: Buffer;
  readonly before: number;
  readonly after: number;
  /** Whether the line ends inside a match; set only if the window does not show it. */
  readonly endsInside?: boolean | undefined;
}

// Generous, because a character may take four bytes and have two marks before it.
const leadBytes = 4096;
const windowBytes = 32 * 1024;

/** Lines of minified files may be megabytes long, so only the part near the first match is decoded. */
function takeWindow(line: Buffer, marks: MatchMarks): MatchWindow {
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
    endsInside: markCount > 0 ? opened.last > closed.last : undefined,
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
