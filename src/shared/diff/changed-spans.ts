import { commonPrefixLength, commonSuffixLength } from "./common-length.ts";
import { lineNumbersAt } from "./line-numbers.ts";
import type { TextChange } from "./text-change.ts";

export interface Texts {
  readonly before: string;
  readonly after: string;
}

/** Whole lines of both texts around one or more changes. */
export interface LineSpan extends Texts {
  readonly firstLine: number;
  readonly newFirstLine: number;
}

/** A span that holds all differences of two texts: before and after it they are equal. */
export interface KnownChange extends TextChange {
  /** 1-based line of its start. */
  readonly line: number;
}

/** The parts of two texts that hold all their differences; unknown changes are found by comparing from both ends. */
export function changedSpans(texts: Texts, { changes, within, contextLines }: SpanOptions): LineSpan[] {
  const known = changes ?? [outerChange(texts, within)];
  const widened = mergeTouching(known.map((change) => widen(texts, change, contextLines)));
  const starts = widened.map(({ start }) => start);
  const newStarts = widened.map(({ newStart }) => newStart);
  const firstLines =
    within === undefined || widened.length > 1
      ? lineNumbersAt(texts.before, starts)
      : [lineFrom(texts.before, within, starts[0]!)];
  // Nothing differs before the first change, so it starts at the same line in both texts.
  const newFirstLines = widened.length === 1 ? firstLines : lineNumbersAt(texts.after, newStarts);
  return widened.map(({ start, end, newStart, newEnd }, index) => ({
    before: texts.before.slice(start, end),
    after: texts.after.slice(newStart, newEnd),
    firstLine: firstLines[index]!,
    newFirstLine: newFirstLines[index]!,
  }));
}

interface SpanOptions {
  readonly changes?: readonly TextChange[] | undefined;
  readonly within?: KnownChange | undefined;
  readonly contextLines: number;
}

function outerChange({ before, after }: Texts, within: KnownChange | undefined): TextChange {
  const start = commonPrefixLength(before, after, within?.start);
  const longest = Math.min(before.length, after.length) - start;
  const tail = commonSuffixLength(before, after, longest, within && before.length - within.end);
  return { start, end: before.length - tail, newStart: start, newEnd: after.length - tail };
}

/** Extends a change to whole lines, plus the context lines on both sides. */
function widen({ before }: Texts, change: TextChange, contextLines: number): TextChange {
  const lead = change.start - goBack(before, change.start, contextLines);
  const tail = goForward(before, change.end, contextLines + 1) - change.end;
  return {
    start: change.start - lead,
    end: change.end + tail,
    newStart: change.newStart - lead,
    newEnd: change.newEnd + tail,
  };
}

/** The line of an offset near one whose line is known. */
function lineFrom(text: string, { start, line }: KnownChange, offset: number): number {
  const between = text.slice(Math.min(start, offset), Math.max(start, offset));
  const lines = between.split("\n").length - 1;
  return offset < start ? line - lines : line + lines;
}

function goBack(text: string, offset: number, lines: number): number {
  let place = offset;
  for (let count = 0; count <= lines && place >= 0; count++) {
    place = place === 0 ? -1 : text.lastIndexOf("\n", place - 1);
  }
  return place + 1;
}

function goForward(text: string, offset: number, lines: number): number {
  let place = offset;
  for (let count = 0; count < lines && place < text.length; count++) {
    const newline = text.indexOf("\n", place);
    place = newline === -1 ? text.length : newline + 1;
  }
  return place;
}

function mergeTouching(changes: readonly TextChange[]): TextChange[] {
  const merged: TextChange[] = [];
  for (const change of changes) {
    const last = merged.at(-1);
    if (last !== undefined && change.start <= last.end) {
      merged[merged.length - 1] = { ...last, end: change.end, newEnd: change.newEnd };
    } else merged.push(change);
  }
  return merged;
}
