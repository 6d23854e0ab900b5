import type { StructuredPatchHunk as Hunk } from "diff";
import { countOf } from "../text/count-of.ts";
import { linesOf } from "../text/lines-of.ts";
import type { LineSpan, Texts } from "./changed-spans.ts";
import { loadDiff } from "./load-diff.ts";

export interface SpanFormat {
  readonly path: string;
  readonly contextLines: number;
  /** Infinity if all are wanted. */
  readonly maxLines: number;
}

export interface DiffPreview {
  /** In the format of `diff -u` and `git diff`; empty if nothing differs. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly omittedLines: number;
}

/** The differences within parts of two texts, as a unified diff. */
export async function formatSpans(
  spans: readonly LineSpan[],
  { path, contextLines, maxLines }: SpanFormat,
): Promise<DiffPreview> {
  const { structuredPatch, formatPatch, OMIT_HEADERS } = await loadDiff();
  const deadline = performance.now() + maxMilliseconds;
  const hunks = spans.flatMap((span) => {
    const timeout = Math.max(1, deadline - performance.now());
    const limits = { context: contextLines, maxEditLength, timeout };
    const isComparable = span.before.length + span.after.length <= maxComparedCharacters;
    const patch = isComparable
      ? structuredPatch("", "", span.before, span.after, undefined, undefined, limits)
      : undefined;
    return moveHunks(patch?.hunks ?? [wholeHunk(span, contextLines)], span);
  });
  const names = { oldFileName: path, newFileName: path, oldHeader: "", newHeader: "" };
  const diff = `${fileHeader(path)}${formatPatch({ ...names, hunks }, OMIT_HEADERS)}`;
  return { ...cutLines(diff, maxLines), ...countLines(hunks) };
}

// Comparing takes quadratic time in the differences; beyond these limits, the diff replaces all lines.
const maxEditLength = 2_000;
const maxMilliseconds = 100;
const maxComparedCharacters = 2_000_000;

function moveHunks(hunks: readonly Hunk[], { firstLine, newFirstLine }: LineSpan): Hunk[] {
  return hunks.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + firstLine - 1,
    newStart: hunk.newStart + newFirstLine - 1,
  }));
}

function fileHeader(path: string): string {
  const [before, after] = [quoteName(`a/${path}`), quoteName(`b/${path}`)];
  return `--- ${before}${endOf(before)}\n+++ ${after}${endOf(after)}\n`;
}

/** Patch programs end a name at its first space unless a tab follows it. */
function endOf(name: string): string {
  return name.includes(" ") && !name.startsWith('"') ? "\t" : "";
}

function cutLines(diff: string, maxLines: number): { diff: string; omittedLines: number } {
  const lines = diff.split("\n");
  const omittedLines = lines.length - 1 - maxLines;
  if (omittedLines <= 0) return { diff, omittedLines: 0 };
  const shown = lines.slice(0, maxLines);
  return {
    diff: `${shown.join("\n")}\n... ${countOf(omittedLines, "more line")} of the diff\n`,
    omittedLines,
  };
}

function countLines(hunks: readonly Hunk[]): { added: number; removed: number } {
  const count = (mark: string) =>
    hunks.reduce((total, { lines }) => total + lines.filter((line) => line.startsWith(mark)).length, 0);
  return { added: count("+"), removed: count("-") };
}

/** One hunk that replaces everything between the common first and last lines, with context for patch programs. */
function wholeHunk({ before, after }: Texts, contextLines: number): Hunk {
  const oldLines = linesOf(before);
  const newLines = linesOf(after);
  const shortest = Math.min(oldLines.length, newLines.length);
  let head = 0;
  while (head < shortest && oldLines[head] === newLines[head]) head++;
  let tail = 0;
  while (tail < shortest - head && oldLines.at(-1 - tail) === newLines.at(-1 - tail)) tail++;
  const first = Math.max(0, head - contextLines);
  const trailing = Math.min(tail, contextLines);
  const oldEnd = oldLines.length - tail;
  const newEnd = newLines.length - tail;
  return {
    oldStart: first + 1,
    oldLines: oldEnd + trailing - first,
    newStart: first + 1,
    newLines: newEnd + trailing - first,
    lines: [
      ...oldLines.slice(first, head).flatMap((line) => hunkLine(" ", line)),
      ...oldLines.slice(head, oldEnd).flatMap((line) => hunkLine("-", line)),
      ...newLines.slice(head, newEnd).flatMap((line) => hunkLine("+", line)),
      ...oldLines.slice(oldEnd, oldEnd + trailing).flatMap((line) => hunkLine(" ", line)),
    ],
  };
}

function hunkLine(mark: " " | "-" | "+", line: string): string[] {
  if (line.endsWith("\n")) return [mark + line.slice(0, -1)];
  return [mark + line, "\\ No newline at end of file"];
}

/** Quotes like git with core.quotePath off: only quotes, backslashes and control characters are escaped. */
export function quoteName(name: string): string {
  const escaped = name.replace(
    /["\\\x00-\x1f\x7f]/g,
    (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return escaped === name ? name : `"${escaped}"`;
}
