import { type ContextMatch, type FileLines, looserOf } from "../diff/file-lines.ts";
import type { PatchChunk, PatchLine } from "./patch-format.ts";

/** Where a chunk belongs. */
export interface ChunkPlace {
  /** The index of the first line. */
  readonly first: number;
  /** Where the next chunk may begin. */
  readonly next: number;
  /** The chunk's lines, as far as they are in the file. */
  readonly lines: readonly PatchLine[];
  readonly matchedBy: ContextMatch;
}

/** At or after the line `from`; the lines that the chunk's `@@` name come first. */
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
    // Nothing but new lines: after the line that was named, or at the end.
    const isPlaced = contexts.length > 0 && !isEndOfFile;
    return { first: isPlaced ? from : file.lines.length, next: from, lines, matchedBy: "exact" };
  }
  const start = isEndOfFile ? Math.max(from, file.lines.length - wanted.length) : from;
  const found = file.seek(wanted, start);
  if (found !== undefined) return { ...found, lines, next: found.first + wanted.length };
  // Some write the end of the last line as an empty line more.
  const last = lines.at(-1);
  if (last?.kind !== "keep" || last.text !== "" || wanted.length === 1) return undefined;
  return locateLines(file, { ...chunk, lines: lines.slice(0, -1) }, from);
}

/** Those that stand in the file before. */
export function oldLinesOf(lines: readonly PatchLine[]): string[] {
  return lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
}
