import type { Texts } from "./changed-spans.ts";

/** As in the package `diff`: a side without lines still has a start. */
export interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: string[];
}

/** One hunk that replaces everything between the common first and last lines, with context for patch programs. */
export function wholeHunk({ before, after }: Texts, contextLines: number): Hunk {
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

/** Lines with their newlines. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function hunkLine(mark: " " | "-" | "+", line: string): string[] {
  if (line.endsWith("\n")) return [mark + line.slice(0, -1)];
  return [mark + line, "\\ No newline at end of file"];
}
