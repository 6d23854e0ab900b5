import { createFileLines } from "../diff/file-lines.ts";
import { splitLines } from "../encoding/line-endings.ts";

/** Lines of a text that the wanted lines skip, though they match everything around. */
export interface OmittedLines {
  /** 1-based. */
  readonly first: number;
  readonly last: number;
  /** Offset of the line that the wanted lines start with. */
  readonly offset: number;
  /** The wanted lines have an ellipsis instead. */
  readonly isMarked: boolean;
}

const maxStarts = 50;
const maxSkippedLines = 200;
const maxCharacters = 2_000_000;

/** Undefined if the wanted lines do not match even with lines left out. */
export function findOmitted(text: string, oldText: string): OmittedLines | undefined {
  if (text.length > maxCharacters) return undefined;
  const written = splitLines(oldText).map((line) => line.trim());
  const wanted = written.filter((line) => line !== "" && !isEllipsis(line));
  if (wanted.length < 2) return undefined;
  const file = createFileLines(text);
  const lines = file.lines.map((line) => line.trim());
  let starts = 0;
  for (const [start, line] of lines.entries()) {
    if (line !== wanted[0] || ++starts > maxStarts) continue;
    const skipped = skippedLines(lines, start, wanted);
    const [first, last] = [skipped?.[0], skipped?.at(-1)];
    if (first === undefined || last === undefined) continue;
    const offset = file.starts[start]!;
    return { first: first + 1, last: last + 1, offset, isMarked: written.some(isEllipsis) };
  }
  return undefined;
}

/** Indexes of the lines between wanted ones that are not wanted; undefined if some wanted line does not follow. */
function skippedLines(
  lines: readonly string[],
  start: number,
  wanted: readonly string[],
): number[] | undefined {
  const skipped: number[] = [];
  let matched = 0;
  for (let index = start; matched < wanted.length; index++) {
    if (index >= lines.length || skipped.length > maxSkippedLines) return undefined;
    if (lines[index] === wanted[matched]) matched++;
    else if (lines[index] !== "") skipped.push(index);
  }
  return skipped;
}

/** A line that stands for others, alone or in a comment. */
function isEllipsis(line: string): boolean {
  return /^(?:\/\/|#|--|\/\*|<!--)?\s*(?:\.\.\.|…)/.test(line);
}
