import { diffArrays } from "diff/lib/diff/array.js";
import { plainTypography } from "./typography.ts";

/**
 * One line of a change that is written against lines of a file: `old` and `next` are what the caller wrote, `found` is what
 * the file has in the place of `old`.
 */
export type LineStep =
  | ({ readonly kind: "keep" | "remove" } & FoundLine)
  | { readonly kind: "add"; readonly next: string };

export interface FoundLine {
  readonly old: string;
  readonly found: string;
}

/** The steps to the next lines, from the old ones as they were written or as they were found. */
export function lineSteps(lines: readonly FoundLine[], next: readonly string[], frame: Frame): LineStep[] {
  const steps: LineStep[] = [];
  let index = 0;
  let nextIndex = 0;
  const from = lines.map((line) => (frame === "old" ? line.old : line.found));
  for (const { count, added, removed } of compare(from, next)) {
    for (let step = 0; step < count; step++) {
      if (added) steps.push({ kind: "add", next: next[nextIndex]! });
      else steps.push({ kind: removed ? "remove" : "keep", ...lines[index]! });
      if (!added) index++;
      if (!removed) nextIndex++;
    }
  }
  return steps;
}

/** How new lines are indented: as the old ones were written, or as the file has them. */
export type Frame = "old" | "file";

interface Comparison {
  readonly count: number;
  readonly added: boolean;
  readonly removed: boolean;
}

// The comparison takes time with the square of what differs; beyond this, only equal lines at both ends are kept.
const maxEditLength = 1_000;

function compare(from: readonly string[], next: readonly string[]): readonly Comparison[] {
  const [fromKeys, nextKeys] = [from.map(comparable), next.map(comparable)];
  return diffArrays(fromKeys, nextKeys, { maxEditLength }) ?? compareEnds(fromKeys, nextKeys);
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

/** A line without what a caller may well write otherwise than the file has it; its indentation counts. */
function comparable(line: string): string {
  return plainTypography(line).trimEnd();
}
