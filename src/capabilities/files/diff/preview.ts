import { changedSpans, type KnownChange } from "../edit/changed-spans.ts";
import type { TextChange } from "../edit/text-change.ts";
import { workOnText } from "../thread/text-thread.ts";
import type { DiffPreview } from "./format-spans.ts";

export interface DiffOptions {
  readonly contextLines?: number;
  /** Cuts a longer diff and says how many lines are missing; a cut diff cannot be applied. */
  readonly maxLines?: number;
  /** Where the texts differ, if known; otherwise found by comparing from both ends. */
  readonly changes?: readonly TextChange[];
  /** One span that holds all differences, if known: saves comparing the rest. */
  readonly within?: KnownChange | undefined;
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
  return workOnText({ kind: "diff", spans, format: { path, contextLines, maxLines } });
}

function isSame(before: string, after: string, within: KnownChange | undefined): boolean {
  if (before.length !== after.length || within === undefined) return before === after;
  const { start, end } = within;
  return before.slice(start, end) === after.slice(start, end);
}
