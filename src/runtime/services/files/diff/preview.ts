import { countOf } from "../../../../shared/text/count-of.ts";
import { changedSpans, type KnownChange, type LineSpan, type Texts } from "../edit/changed-spans.ts";
import type { TextChange } from "../edit/text-change.ts";
import { type Hunk, wholeHunk } from "../patch/whole-hunk.ts";
import { loadDiff } from "./load-diff.ts";
import { quoteName } from "./quote-name.ts";

export interface DiffOptions {
  readonly contextLines?: number;
  /** Cuts a longer diff and says how many lines are missing; a cut diff cannot be applied. */
  readonly maxLines?: number;
  /** Where the texts differ, if known; otherwise found by comparing from both ends. */
  readonly changes?: readonly TextChange[];
  /** One span that holds all differences, if known: saves comparing the rest. */
  readonly within?: KnownChange | undefined;
}

export interface DiffPreview {
  /** In the format of `diff -u` and `git diff`; empty if nothing differs. */
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly omittedLines: number;
}

/** A unified diff. Only the changed parts are compared, so the size of the texts hardly matters. */
export async function unifiedDiff(
  path: string,
  before: string,
  after: string,
  { contextLines = 3, maxLines = Number.POSITIVE_INFINITY, changes, within }: DiffOptions = {},
): Promise<DiffPreview> {
  if (isSame(before, after, within)) return { diff: "", added: 0, removed: 0, omittedLines: 0 };
  const spans = changedSpans({ before, after }, { changes, within, contextLines });
  const { structuredPatch, formatPatch, OMIT_HEADERS } = await loadDiff();
  const deadline = performance.now() + maxMilliseconds;
  const hunks = spans.flatMap((span) => {
    const timeout = Math.max(1, deadline - performance.now());
    const limits = { context: contextLines, maxEditLength, timeout };
    const patch = isComparable(span)
      ? structuredPatch("", "", span.before, span.after, undefined, undefined, limits)
      : undefined;
    return moveHunks(patch?.hunks ?? [wholeHunk(span, contextLines)], span);
  });
  const names = { oldFileName: path, newFileName: path, oldHeader: "", newHeader: "" };
  const diff = `${fileHeader(path)}${formatPatch({ ...names, hunks }, OMIT_HEADERS)}`;
  return { ...cutLines(diff, maxLines), ...countLines(hunks) };
}

function isSame(before: string, after: string, within: KnownChange | undefined): boolean {
  if (before.length !== after.length || within === undefined) return before === after;
  const { start, end } = within;
  return before.slice(start, end) === after.slice(start, end);
}

// Comparing takes quadratic time in the differences; beyond these limits, the diff replaces all lines.
const maxEditLength = 2_000;
const maxMilliseconds = 200;
const maxComparedCharacters = 2_000_000;

function isComparable({ before, after }: Texts): boolean {
  return before.length + after.length <= maxComparedCharacters;
}

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
