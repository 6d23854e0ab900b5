import { ToolError } from "../../../../tool/tool-error.ts";
import { type ContextMatch, createFileLines, type FileLines, looserOf } from "../diff/file-lines.ts";
import { closestRegion } from "../edit/closest-region.ts";
import { describeRegion } from "../edit/describe-region.ts";
import { findIndentShift, indentOf } from "../edit/indent-shift.ts";
import { replaceRanges, type TextChange, type TextReplacement } from "../edit/text-change.ts";
import { type ChunkPlace, locateChunk, oldLinesOf } from "./locate-chunk.ts";
import type { PatchChunk } from "./patch-format.ts";

export interface UpdateOutcome {
  readonly text: string;
  readonly matchedBy: ContextMatch;
  readonly changes: readonly TextChange[];
}

/**
 * Applies the chunks of one file in order, all or none. Context lines stay as they are in the file, even where the
 * patch writes them differently.
 */
export function applyUpdate(
  text: string,
  chunks: readonly PatchChunk[],
  { path = "the file" }: { path?: string } = {},
): UpdateOutcome {
  const file = createFileLines(text);
  const runs: LineRun[] = [];
  let matchedBy: ContextMatch = "exact";
  let from = 0;
  for (const chunk of chunks) {
    const place = locateChunk(file, chunk, from);
    if (place === undefined) throw missingLines(text, chunk, path);
    matchedBy = looserOf(matchedBy, place.matchedBy);
    runs.push(...changedRuns(file, place));
    from = place.next;
  }
  const replacements = joinRuns(runs).map((run) => replaceLines(file, run));
  return { ...replaceRanges(text, replacements), matchedBy };
}

/** A range of the file's lines, by index, and the lines that replace it. */
interface LineRun {
  readonly first: number;
  readonly end: number;
  readonly added: readonly string[];
}

/** One run for each removed or added line, so that context lines are not touched. */
function changedRuns(file: FileLines, place: ChunkPlace): LineRun[] {
  const reindent = findChunkShift(file, place);
  const runs: LineRun[] = [];
  let index = place.first;
  for (const { kind, text } of place.lines) {
    if (kind === "add") runs.push({ first: index, end: index, added: [reindent(text)] });
    if (kind === "remove") runs.push({ first: index, end: index + 1, added: [] });
    if (kind !== "add") index++;
  }
  return runs;
}

/** If the whole chunk is indented differently from the file, added lines get the file's indentation. */
function findChunkShift(file: FileLines, { first, lines }: ChunkPlace): (line: string) => string {
  const pairs = oldLinesOf(lines).flatMap((line, index) =>
    line.trim() === "" ? [] : [{ wanted: indentOf(line), found: indentOf(file.lines[first + index]!) }],
  );
  return findIndentShift(pairs) ?? ((line) => line);
}

/** Sorts the runs by line and joins adjacent ones. */
function joinRuns(runs: readonly LineRun[]): LineRun[] {
  const joined: { first: number; end: number; added: string[] }[] = [];
  for (const { first, end, added } of runs.toSorted((left, right) => left.first - right.first)) {
    const last = joined.at(-1);
    if (last?.end !== first) joined.push({ first, end, added: [...added] });
    else {
      last.end = end;
      last.added.push(...added);
    }
  }
  return joined;
}

/** A file without a newline at its end stays without one. */
function replaceLines(
  { starts, lines, lineEnd, endsWithNewline }: FileLines,
  { first, end, added }: LineRun,
): TextReplacement {
  const isAtEnd = end === lines.length;
  const start = starts[first]!;
  if (!isAtEnd || endsWithNewline) {
    return { start, end: starts[end]!, text: added.map((line) => line + lineEnd).join("") };
  }
  const isAfterLastLine = first === lines.length;
  const text = added.join(lineEnd);
  if (isAfterLastLine) return { start, end: start, text: lineEnd + text };
  // If the last lines are removed, the newline before them has to go too.
  const isOnlyRemoved = added.length === 0 && first > 0;
  return { start: isOnlyRemoved ? endOfLine(starts, lines, first - 1) : start, end: starts[end]!, text };
}

function endOfLine(starts: readonly number[], lines: readonly string[], index: number): number {
  return starts[index]! + lines[index]!.length;
}

function missingLines(text: string, { contexts, lines, line }: PatchChunk, path: string): ToolError {
  const searched = [...contexts, ...oldLinesOf(lines)].join("\n");
  const region = closestRegion(text, oldLinesOf(lines).join("\n")) ?? closestRegion(text, searched);
  return new ToolError(
    "no-match",
    `the chunk at line ${line} of the patch does not match ${path}: its lines are not in the file`,
    {
      hint: [
        "Nothing was changed. Order the chunks as in the file, and copy the lines around each change exactly.",
        ...(region === undefined ? [] : [describeRegion(region)]),
      ].join("\n"),
    },
  );
}
