import { replaceRanges, type TextChange, type TextReplacement } from "../../../shared/diff/text-change.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { type ContextMatch, createFileLines, type FileLines, looserOf } from "../diff/file-lines.ts";
import { closestRegion } from "../edit/closest-region.ts";
import { noMatch } from "../edit/describe-region.ts";
import { refuseOmission } from "../edit/omission.ts";
import { unclearIndent } from "../edit/replace-lines.ts";
import { fitSteps } from "../fit/fit-lines.ts";
import type { LineStep } from "../fit/line-step.ts";
import { type ChunkPlaces, locateChunk, oldLinesOf } from "./locate-chunk.ts";
import type { PatchChunk, PatchLine } from "./patched-change.ts";

export interface UpdateOutcome {
  readonly text: string;
  readonly matchedBy: ContextMatch;
  readonly changes: readonly TextChange[];
}

/**
 * Applies the chunks of one file, all or none. Context lines stay as they are in the file, even where the patch writes
 * them differently. A chunk that fits several places is refused, unless the order of the chunks leaves only one.
 */
export function applyUpdate(
  text: string,
  chunks: readonly PatchChunk[],
  { path = "the file" }: { path?: string } = {},
): UpdateOutcome {
  const file = createFileLines(text);
  const found = chunks.map((chunk) => {
    const places = locateChunk(file, chunk);
    if (places.firsts.length === 0) throw missingLines(text, chunk, path);
    return places;
  });
  const placed = placeChunks(chunks, found, path).toSorted((left, right) => left.first - right.first);
  const runs = placed.flatMap((chunk) => changedRuns(file, chunk));
  const replacements = joinRuns(runs).map((run) => replaceLines(file, run));
  const matchedBy = found.map((places) => places.matchedBy).reduce(looserOf, "exact");
  return { ...replaceRanges(text, replacements), matchedBy };
}

interface PlacedChunk {
  readonly chunk: PatchChunk;
  readonly lines: readonly PatchLine[];
  readonly first: number;
}

function placeChunks(
  chunks: readonly PatchChunk[],
  found: readonly ChunkPlaces[],
  path: string,
): PlacedChunk[] {
  const choice = choosePlaces(found.map(candidatesOf));
  if (choice.kind === "ambiguous") throw ambiguousChunk(chunks[choice.change]!, found[choice.change]!, path);
  if (choice.kind === "overlapping") throw overlappingChunk(chunks[choice.change]!, path);
  return chunks.map((chunk, index) => {
    const { firsts, lines } = found[index]!;
    return { chunk, lines, first: firsts[choice.indexes[index]!]! };
  });
}

/** Only changed lines count: two chunks may share context lines. */
function candidatesOf({ firsts, lines }: ChunkPlaces): Candidate[] {
  const changed = lines.flatMap(({ kind }, index) => (kind === "keep" ? [] : [index]));
  const before = oldLinesOf(lines.slice(0, changed[0])).length;
  const upTo = oldLinesOf(lines.slice(0, (changed.at(-1) ?? -1) + 1)).length;
  return firsts.map((first) => ({ start: first + before, end: first + Math.max(before, upTo) }));
}

/** A range of the file's lines, by index, and the lines that replace it. */
interface LineRun {
  readonly first: number;
  readonly end: number;
  readonly added: readonly string[];
}

/** One run for each removed or added line, so that context lines are not touched. */
function changedRuns(file: FileLines, { chunk, lines, first }: PlacedChunk): LineRun[] {
  const steps = stepsOf(file, lines, first);
  refuseOmission(
    lines.flatMap(({ kind, text }) => (kind === "add" ? [text] : [])).join("\n"),
    oldLinesOf(lines).join("\n"),
  );
  const fit = fitSteps(steps);
  if (fit.kind === "unclear") {
    throw unclearIndent(`the new lines of the chunk at line ${chunk.line} of the patch`, fit.readings);
  }
  const runs: LineRun[] = [];
  let index = first;
  for (const { kind, line } of fit.steps) {
    if (kind === "add") runs.push({ first: index, end: index, added: [line ?? ""] });
    if (kind === "remove") runs.push({ first: index, end: index + 1, added: [] });
    if (kind !== "add") index++;
  }
  return runs;
}

function stepsOf(file: FileLines, lines: readonly PatchLine[], first: number): LineStep[] {
  let index = first;
  return lines.map(({ kind, text }) => {
    if (kind === "add") return { kind, next: text };
    const found = file.lines[index++]!;
    // A context line that lost its mark is short of one space.
    const isUnmarked = kind === "keep" && ` ${text}`.trimEnd() === found.trimEnd();
    return { kind, old: isUnmarked ? ` ${text}` : text, found };
  });
}

/** Joins adjacent runs. */
function joinRuns(runs: readonly LineRun[]): LineRun[] {
  const joined: { first: number; end: number; added: string[] }[] = [];
  for (const { first, end, added } of runs) {
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
function replaceLines(file: FileLines, run: LineRun): TextReplacement {
  const { starts, lines, endsWithNewline } = file;
  const { first, end, added } = run;
  const isAtEnd = end === lines.length;
  const start = starts[first]!;
  const ended = added.map((line, index) => line + endOfAdded(file, run, index)).join("");
  if (!isAtEnd || endsWithNewline) return { start, end: starts[end]!, text: ended };
  const isAfterLastLine = first === lines.length;
  const lineEnd = endOfAdded(file, run, added.length - 1);
  const text = ended.slice(0, ended.length - lineEnd.length);
  if (isAfterLastLine) return { start, end: start, text: lineEnd + text };
  // If the last lines are removed, the newline before them has to go too.
  const isOnlyRemoved = added.length === 0 && first > 0;
  return {
    start: isOnlyRemoved ? starts[first - 1]! + lines[first - 1]!.length : start,
    end: starts[end]!,
    text,
  };
}

/** In a file with mixed line endings, an added line ends like the one it replaces, or like the line before it. */
function endOfAdded({ ends, lineEnd }: FileLines, { first, end, added }: LineRun, index: number): string {
  const isLast = index === added.length - 1;
  const replaced = isLast ? end - 1 : Math.min(first + index, end - 1);
  return ends[Math.max(replaced, first - 1)] || lineEnd;
}

function missingLines(text: string, { contexts, lines, line }: PatchChunk, path: string): ToolError {
  const searched = [...contexts, ...oldLinesOf(lines)].join("\n");
  const region = closestRegion(text, oldLinesOf(lines).join("\n")) ?? closestRegion(text, searched);
  return noMatch(
    `the chunk at line ${line} of the patch does not match ${path}: its lines are not in the file`,
    "Nothing was changed. Copy the lines around each change exactly.",
    region,
  );
}

function ambiguousChunk({ contexts, line }: PatchChunk, { firsts }: ChunkPlaces, path: string): ToolError {
  const listed = firsts.slice(0, maxListedPlaces).map((first) => first + 1);
  const more = firsts.length > listed.length ? " and more" : "";
  const heading = contexts.length === 0 ? "" : `, and ${JSON.stringify(contexts.at(-1))} does not tell which`;
  return new ToolError(
    "ambiguous-match",
    `the chunk at line ${line} of the patch fits ${path} in several places, at lines ${listed.join(", ")}${more}${heading}`,
    { hint: "Nothing was changed. Add lines around the change until only one place fits." },
  );
}

const maxListedPlaces = 20;

function overlappingChunk({ line }: PatchChunk, path: string): ToolError {
  return new ToolError(
    "conflict",
    `the chunk at line ${line} of the patch changes lines of ${path} that another chunk changes too`,
    { hint: "Nothing was changed. Combine the two chunks." },
  );
}

/** A possible place of a change: the range of line indexes that it changes. */
interface Candidate {
  readonly start: number;
  readonly end: number;
}

type Choice =
  | { readonly kind: "chosen"; readonly indexes: readonly number[] }
  /** Index of the first change that fits several places. */
  | { readonly kind: "ambiguous"; readonly change: number }
  | { readonly kind: "overlapping"; readonly change: number };

/**
 * Finds the only way to place all changes in the order given, without overlap. If every change fits exactly one place,
 * their order does not matter.
 */
function choosePlaces(changes: readonly (readonly Candidate[])[]): Choice {
  const ways = countWays(changes);
  const total = ways.at(-1)?.reduce((sum, count) => sum + count, 0) ?? 0;
  if (total === 1) return { kind: "chosen", indexes: followBack(changes, ways) };
  const change = changes.findIndex((candidates) => candidates.length > 1);
  if (change !== -1) return { kind: "ambiguous", change };
  const overlapping = findOverlap(changes.map(([candidate]) => candidate!));
  return overlapping === undefined
    ? { kind: "chosen", indexes: changes.map(() => 0) }
    : { kind: "overlapping", change: overlapping };
}

/** For each candidate, the number of ways to place the changes up to it, counted up to 2. */
function countWays(changes: readonly (readonly Candidate[])[]): number[][] {
  const ways: number[][] = [];
  for (const [index, candidates] of changes.entries()) {
    const before = changes[index - 1];
    const waysBefore = ({ start }: Candidate) =>
      before?.reduce((sum, { end }, place) => (end <= start ? sum + ways[index - 1]![place]! : sum), 0) ?? 1;
    ways.push(candidates.map((candidate) => Math.min(2, waysBefore(candidate))));
  }
  return ways;
}

/** Reconstructs the only way, last change first. */
function followBack(changes: readonly (readonly Candidate[])[], ways: readonly number[][]): number[] {
  const indexes: number[] = [];
  let limit = Number.POSITIVE_INFINITY;
  for (let index = changes.length - 1; index >= 0; index--) {
    const chosen = changes[index]!.findIndex(({ end }, place) => ways[index]![place]! > 0 && end <= limit);
    indexes.unshift(chosen);
    limit = changes[index]![chosen]!.start;
  }
  return indexes;
}

function findOverlap(candidates: readonly Candidate[]): number | undefined {
  const inOrder = candidates
    .map((candidate, index) => ({ ...candidate, index }))
    .sort((left, right) => left.start - right.start || left.end - right.end);
  return inOrder.find(({ start }, place) => place > 0 && start < inOrder[place - 1]!.end)?.index;
}
