import { loadDiff } from "../../../shared/diff/load-diff.ts";
import { plainTypography } from "./typography.ts";

/** One line of a change. `old` and `next` are as the caller wrote them; `found` is the file's line that `old` matched. */
export type LineStep =
  | ({ readonly kind: "keep" | "remove" } & MatchedLine)
  | { readonly kind: "add"; readonly next: string };

export interface MatchedLine {
  readonly old: string;
  readonly found: string;
}

/** Line diff to the next lines, from the old lines as written (`old`) or as found in the file (`file`). */
export function lineSteps(
  lines: readonly MatchedLine[],
  next: readonly string[],
  { frame, compareLines }: { frame: Frame; compareLines: CompareLines },
): LineStep[] {
  const steps: LineStep[] = [];
  let index = 0;
  let nextIndex = 0;
  const from = lines.map((line) => (frame === "old" ? line.old : line.found));
  for (const { count, added, removed } of compare(from.map(comparable), next.map(comparable), compareLines)) {
    for (let step = 0; step < count; step++) {
      if (added) steps.push({ kind: "add", next: next[nextIndex]! });
      else steps.push({ kind: removed ? "remove" : "keep", ...lines[index]! });
      if (!added) index++;
      if (!removed) nextIndex++;
    }
  }
  return steps;
}

/** Whose indentation the new lines follow: that of the old lines as written, or that of the file. */
export type Frame = "old" | "file";

interface Comparison {
  readonly count: number;
  readonly added: boolean;
  readonly removed: boolean;
}

/** Undefined if the lists differ too much to be compared in a short time. */
export type CompareLines = (from: string[], next: string[]) => readonly Comparison[] | undefined;

// The diff takes quadratic time in the number of differences; beyond this, only common first and last lines are kept.
const maxEditLength = 1_000;

export async function loadCompareLines(): Promise<CompareLines> {
  const { diffArrays } = await loadDiff();
  return (from, next) => diffArrays(from, next, { maxEditLength });
}

function compare(from: string[], next: string[], compareLines: CompareLines): readonly Comparison[] {
  return compareLines(from, next) ?? compareEnds(from, next);
}

function compareEnds(from: readonly string[], next: readonly string[]): Comparison[] {
  const shortest = Math.min(from.length, next.length);
  let head = 0;
  while (head < shortest && from[head] === next[head]) head++;
  let tail = 0;
  while (tail < shortest - head && from.at(-1 - tail) === next.at(-1 - tail)) tail++;
  return [
    { count: head, added: false, removed: false },
    { count: from.length - head - tail, added: false, removed: true },
    { count: next.length - head - tail, added: true, removed: false },
    { count: tail, added: false, removed: false },
  ];
}

/** Ignores trailing space and typography, but not indentation. */
function comparable(line: string): string {
  return plainTypography(line).trimEnd();
}
