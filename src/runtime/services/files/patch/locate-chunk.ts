import { type ContextMatch, type FileLines, looserOf } from "../diff/file-lines.ts";
import type { PatchChunk, PatchLine } from "./patch-format.ts";

/** Where a chunk applies. */
export interface ChunkPlace {
  /** Index of the first line. */
  readonly first: number;
  /** Index of the first line where the next chunk may apply. */
  readonly next: number;
  /** The chunk's lines, without a surplus empty one at the end. */
  readonly lines: readonly PatchLine[];
  readonly matchedBy: ContextMatch;
}

/** Searches from line `from` on: first the lines named after `@@`, then the chunk's own lines. */
export function locateChunk(file: FileLines, chunk: PatchChunk, from: number): ChunkPlace | undefined {
  let start = from;
  let matchedBy: ContextMatch = "exact";
  for (const context of chunk.contexts) {
    const found = file.seek([context], start);
    if (found === undefined) return undefined;
    start = found.first + 1;
    matchedBy = looserOf(matchedBy, found.matchedBy);
  }
  const place = locateLines(file, chunk, start);
  return place && { ...place, matchedBy: looserOf(matchedBy, place.matchedBy) };
}

function locateLines(file: FileLines, chunk: PatchChunk, from: number): ChunkPlace | undefined {
  const { lines, contexts, isEndOfFile } = chunk;
  const wanted = oldLinesOf(lines);
  if (wanted.length === 0) {
    // Only added lines: they go after the line named by `@@`, or at the end of the file.
    const isPlaced = contexts.length > 0 && !isEndOfFile;
    return { first: isPlaced ? from : file.lines.length, next: from, lines, matchedBy: "exact" };
  }
  const start = isEndOfFile ? Math.max(from, file.lines.length - wanted.length) : from;
  const found = file.seek(wanted, start);
  if (found !== undefined) return { ...found, lines, next: found.first + wanted.length };
  // Some models write the newline of the last line as one more empty line.
  const last = lines.at(-1);
  if (last?.kind !== "keep" || last.text !== "" || wanted.length === 1) return undefined;
  return locateLines(file, { ...chunk, lines: lines.slice(0, -1) }, from);
}

/** The lines that the patch expects in the file: kept and removed ones. */
export function oldLinesOf(lines: readonly PatchLine[]): string[] {
  return lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
}
