import { lineNumbersAt } from "../../../shared/diff/line-numbers.ts";
import { splitLines } from "../encoding/line-endings.ts";

/** The lines of a text that are most similar to the wanted ones. */
export interface ClosestRegion {
  /** 1-based. */
  readonly firstLine: number;
  readonly lines: readonly string[];
  readonly wanted: readonly string[];
}

// These bound the work for texts of any size: few parts are searched for, and few regions compared line by line.
const maxAnchors = 12;
const maxPlacesPerAnchor = 50;
const maxCandidates = 8;
const maxComparedLines = 200;
const maxComparedLineCharacters = 500;
const minSimilarity = 0.4;

/** With `at`, returns the region starting at that offset's line, however similar it is. */
export function closestRegion(text: string, oldText: string, at?: number): ClosestRegion | undefined {
  const wanted = splitLines(oldText.replace(/^[\r\n]+|[\r\n]$/g, ""));
  const starts = at === undefined ? candidateStarts(text, wanted) : [lineStart(text, at)];
  const regions = starts.map((start) => {
    const lines = linesFrom(text, start, wanted.length);
    return { start, similarity: compareLines(lines, wanted) };
  });
  const [best] = regions.sort(
    (left, right) => right.similarity - left.similarity || left.start - right.start,
  );
  if (best === undefined || (at === undefined && best.similarity < minSimilarity)) return undefined;
  const lines = wholeRegion(text, best.start, wanted);
  return { firstLine: lineNumbersAt(text, [best.start])[0]!, lines, wanted };
}

// A wanted text that leaves lines out stands for a longer region.
const maxOmittedLines = 200;

/** As many lines as wanted, and on to the last wanted line if that follows within reach. */
function wholeRegion(text: string, start: number, wanted: readonly string[]): string[] {
  const lines = linesFrom(text, start, wanted.length + maxOmittedLines);
  const last = wanted.findLast((line) => line.trim() !== "")?.trim();
  const isSame = lines[0]?.trim() === wanted[0]?.trim();
  const end = isSame
    ? lines.findIndex((line, index) => index >= wanted.length - 1 && line.trim() === last)
    : -1;
  return lines.slice(0, end === -1 ? wanted.length : end + 1);
}

/** A part of the wanted text, and how many wanted lines come before it. */
interface Anchor {
  readonly part: string;
  readonly linesBefore: number;
}

/** Each occurrence of an anchor votes for the region in which the anchor would be at the right line. */
function candidateStarts(text: string, wanted: readonly string[]): number[] {
  const compared = wanted.slice(0, maxComparedLines);
  const votes = castVotes(text, wholeLines(compared));
  const cast = votes.size > 0 ? votes : castVotes(text, words(compared));
  return [...cast]
    .sort(([, left], [, right]) => right - left)
    .slice(0, maxCandidates)
    .map(([start]) => start);
}

function castVotes(text: string, anchors: readonly Anchor[]): Map<number, number> {
  const votes = new Map<number, number>();
  for (const { part, linesBefore } of anchors) {
    let place = text.indexOf(part);
    for (let count = 0; place !== -1 && count < maxPlacesPerAnchor; count++) {
      const start = goBack(text, lineStart(text, place), linesBefore);
      votes.set(start, (votes.get(start) ?? 0) + part.length);
      place = text.indexOf(part, place + part.length);
    }
  }
  return votes;
}

function wholeLines(wanted: readonly string[]): Anchor[] {
  return longestAnchors(wanted.map((line, linesBefore) => ({ part: line.trim(), linesBefore })));
}

function words(wanted: readonly string[]): Anchor[] {
  return longestAnchors(
    wanted.flatMap((line, linesBefore) =>
      line.split(/[^\p{L}\p{N}_]+/u).map((part) => ({ part, linesBefore })),
    ),
  );
}

const minAnchorCharacters = 3;

function longestAnchors(anchors: readonly Anchor[]): Anchor[] {
  return anchors
    .filter(({ part }) => part.length >= minAnchorCharacters)
    .sort((left, right) => right.part.length - left.part.length)
    .slice(0, maxAnchors);
}

// In a file of one huge line, searching for the line's start would cost more than everything else.
const maxLineCharacters = 10_000;

function lineStart(text: string, offset: number): number {
  const from = Math.max(0, offset - maxLineCharacters);
  return from + text.slice(from, offset).lastIndexOf("\n") + 1;
}

function goBack(text: string, start: number, lines: number): number {
  let place = start;
  for (let count = 0; count < lines && place > 0; count++) place = lineStart(text, place - 1);
  return place;
}

function linesFrom(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  let place = start;
  while (lines.length < count && place < text.length) {
    const newline = text.indexOf("\n", place);
    const end = newline === -1 ? text.length : newline;
    lines.push(text.slice(place, Math.min(end, place + maxLineCharacters)).replace(/\r$/, ""));
    place = end + 1;
  }
  return lines;
}

/** The mean similarity of the lines, weighted by their length. */
function compareLines(lines: readonly string[], wanted: readonly string[]): number {
  let alike = 0;
  let total = 0;
  for (const [index, line] of wanted.slice(0, maxComparedLines).entries()) {
    const weight = Math.min(line.trim().length, maxComparedLineCharacters) + 1;
    alike += weight * compareLine(lines[index] ?? "", line);
    total += weight;
  }
  return total === 0 ? 0 : alike / total;
}

/** Dice's coefficient over pairs of neighbouring characters, ignoring whitespace around the line. */
function compareLine(left: string, right: string): number {
  const leftPart = left.trim().slice(0, maxComparedLineCharacters);
  const rightPart = right.trim().slice(0, maxComparedLineCharacters);
  if (leftPart === rightPart) return 1;
  if (leftPart.length < 2 || rightPart.length < 2) return 0;
  const pairs = new Map<string, number>();
  for (let index = 1; index < leftPart.length; index++) {
    const pair = leftPart.slice(index - 1, index + 1);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let index = 1; index < rightPart.length; index++) {
    const pair = rightPart.slice(index - 1, index + 1);
    const left = pairs.get(pair) ?? 0;
    if (left > 0) shared++;
    pairs.set(pair, left - 1);
  }
  return (2 * shared) / (leftPart.length + rightPart.length - 2);
}
