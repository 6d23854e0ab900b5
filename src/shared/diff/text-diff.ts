import { changedSpans, type KnownChange } from "./changed-spans.ts";
import { type DiffPreview, formatSpans } from "./format-spans.ts";
import type { TextChange } from "./text-change.ts";

export interface DiffOptions {
  /** Cuts a longer diff and says how many lines are missing; a cut diff cannot be applied. */
  readonly maxLines?: number;
  /** Where the texts differ, if known; otherwise found by comparing from both ends. */
  readonly changes?: readonly TextChange[];
  /** One span that holds all differences, if known: saves comparing the rest. */
  readonly within?: KnownChange | undefined;
  /** Formats the parts that differ. Default: in this thread. */
  readonly format?: typeof formatSpans;
}

/** A unified diff. Only the changed parts are compared, so the size of the texts hardly matters. */
export async function unifiedDiff(
  path: string,
  before: string,
  after: string,
  { maxLines = Number.POSITIVE_INFINITY, changes, within, format = formatSpans }: DiffOptions = {},
): Promise<DiffPreview> {
  if (isSame(before, after, within)) return { diff: "", added: 0, removed: 0, omittedLines: 0 };
  const spans = changedSpans({ before, after }, { changes, within, contextLines });
  return format(spans, { path, contextLines, maxLines });
}

const contextLines = 3;

function isSame(before: string, after: string, within: KnownChange | undefined): boolean {
  if (before.length !== after.length || within === undefined) return before === after;
  const { start, end } = within;
  return before.slice(start, end) === after.slice(start, end);
}
