import { isAscii } from "node:buffer";
import type { FoundLine } from "../../../tool/services/search.ts";
import { findMarked, type MatchMarks, type Range, withoutMarks } from "./match-marks.ts";
import { takeWindow } from "./match-window.ts";
import type { PrintedLine } from "./read-matches.ts";

/** Converts ripgrep's lines to results; a match that spans several lines is marked in each of them. */
export function createLineFinder(
  path: string,
  marks: MatchMarks,
): (line: PrintedLine) => FoundLine | undefined {
  let isInside = false;
  return ({ number, isMatch, bytes }) => {
    const window = takeWindow(withoutReturn(bytes), marks);
    const text = decode(window.bytes);
    // If a match ends with a newline, the next printed line consists of its closing mark alone.
    const isOnlyMark = isInside && text === marks.close;
    const marked = findMarked(text, marks, isInside);
    isInside = window.endsInside ?? marked.isInside;
    if (isOnlyMark) return undefined;
    const cut = cutLine(text, { ...marked, ...window, marks });
    return { path, line: number, kind: isMatch ? "match" : "context", ...cut };
  };
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes;
}

const carriageReturn = 0x0d;

/** Decoding ASCII as Latin-1 is many times faster. */
function decode(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

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
