import type { ContextMatch, FileLines } from "../diff/file-lines.ts";
import { indentOf } from "../fit/indent-shift.ts";
import type { PatchChunk, PatchLine } from "./patched-change.ts";

/** Where a chunk may apply. */
export interface ChunkPlaces {
  /** Index of its first line in each place; empty if its lines are not in the file. */
  readonly firsts: readonly number[];
  /** The chunk's lines as matched, without a surplus empty one at the end. */
  readonly lines: readonly PatchLine[];
  readonly matchedBy: ContextMatch;
}

/** Every place that a chunk fits, by the strictest comparison that finds any, narrowed by the lines named after `@@`. */
export function locateChunk(file: FileLines, chunk: PatchChunk): ChunkPlaces {
  const { lines, contexts, isEndOfFile } = chunk;
  if (oldLinesOf(lines).length === 0) {
    // Only added lines: they go after the line named by `@@`, or at the end of the file.
    const isPlaced = contexts.length > 0 && !isEndOfFile;
    const firsts = isPlaced
      ? findHeadings(file, contexts).map((heading) => heading + 1)
      : [file.lines.length];
    return { firsts, lines, matchedBy: "exact" };
  }
  const found = seekChunk(file, chunk);
  if (found.firsts.length <= 1 || contexts.length === 0) return found;
  const below = findHeadings(file, contexts).flatMap((heading) => {
    const end = endOfBlock(file.lines, heading);
    return found.firsts.filter((first) => first > heading && first < end);
  });
  return below.length === 0 ? found : { ...found, firsts: [...new Set(below)] };
}

function seekChunk(file: FileLines, chunk: PatchChunk): ChunkPlaces {
  const { lines, isEndOfFile } = chunk;
  for (const { read, form } of readings) {
    const asRead = lines.map(read);
    const wanted = oldLinesOf(asRead);
    const firsts = file
      .seek(wanted, form)
      .filter((first) => !isEndOfFile || first + wanted.length === file.lines.length);
    if (firsts.length > 0) return { firsts, lines: asRead, matchedBy: form };
  }
  // Some models write the newline of the last line as one more empty line.
  const last = lines.at(-1);
  const hasEmptyEnd = last?.kind === "keep" && last.text === "" && oldLinesOf(lines).length > 1;
  return hasEmptyEnd
    ? seekChunk(file, { ...chunk, lines: lines.slice(0, -1) })
    : { firsts: [], lines, matchedBy: "exact" };
}

const asMarked = (line: PatchLine): PatchLine => line;

/** Models often forget the space that marks a context line. */
const asUnmarked = (line: PatchLine): PatchLine =>
  line.kind === "keep" && line.isUnmarked === undefined && line.text !== ""
    ? { ...line, text: ` ${line.text}` }
    : line;

/** Tried in this order. */
const readings: readonly { read: (line: PatchLine) => PatchLine; form: ContextMatch }[] = [
  { read: asMarked, form: "exact" },
  { read: asUnmarked, form: "exact" },
  { read: asMarked, form: "trailing-space" },
  { read: asUnmarked, form: "trailing-space" },
  { read: asMarked, form: "trim" },
  { read: asMarked, form: "punctuation" },
];

/** Index of the last named line, for each place where the named lines follow one another. */
function findHeadings({ lines }: FileLines, contexts: readonly string[]): number[] {
  const headings = new Set<number>();
  const [first, ...others] = contexts.map((context) => context.trim());
  for (const [index, line] of lines.entries()) {
    if (!isHeading(line, first!)) continue;
    let at = index;
    for (const other of others) {
      at = lines.findIndex((line, index) => index > at && isHeading(line, other));
      if (at === -1) break;
    }
    if (at !== -1) headings.add(at);
    if (headings.size >= maxHeadings) break;
  }
  return [...headings];
}

const maxHeadings = 100;
// Git cuts headings at 80 characters; shorter ones must match entirely.
const cutHeadingCharacters = 40;

/** A long heading may have been cut. */
function isHeading(line: string, named: string): boolean {
  const text = line.trim();
  return text === named || (named.length >= cutHeadingCharacters && text.startsWith(named));
}

/** Index after the first line that is not indented deeper than the heading. */
function endOfBlock(lines: readonly string[], heading: number): number {
  const depth = indentOf(lines[heading]!).length;
  const end = lines.findIndex(
    (line, index) => index > heading && line.trim() !== "" && indentOf(line).length <= depth,
  );
  return end === -1 ? lines.length : end + 1;
}

/** The lines that the patch expects in the file: kept and removed ones. */
export function oldLinesOf(lines: readonly PatchLine[]): string[] {
  return lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
}
