import type { ContextMatch, FileLines } from "../diff/file-lines.ts";
import { indentOf } from "../edit/indent-shift.ts";
import type { PatchChunk, PatchLine } from "./patch-format.ts";

/** Where a chunk may belong. */
export interface ChunkPlaces {
  /** The indexes of its first line; none where its lines do not stand in the file. */
  readonly firsts: readonly number[];
  /** The chunk's lines as they were read to be found, and as far as they are in the file. */
  readonly lines: readonly PatchLine[];
  readonly matchedBy: ContextMatch;
}

/** Every place that a chunk fits, in the strictest form in which it fits any; the lines its `@@` name choose among them. */
export function findPlaces(file: FileLines, chunk: PatchChunk): ChunkPlaces {
  const { lines, contexts, isEndOfFile } = chunk;
  if (oldLinesOf(lines).length === 0) {
    // Nothing but new lines: after the line that was named, or at the end.
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
  // Some write the end of the last line as an empty line more.
  const last = lines.at(-1);
  const hasEmptyEnd = last?.kind === "keep" && last.text === "" && oldLinesOf(lines).length > 1;
  return hasEmptyEnd
    ? seekChunk(file, { ...chunk, lines: lines.slice(0, -1) })
    : { firsts: [], lines, matchedBy: "exact" };
}

const asMarked = (line: PatchLine): PatchLine => line;

/** Lines that stay are often written without the space that marks them. */
const asUnmarked = (line: PatchLine): PatchLine =>
  line.kind === "keep" && line.isUnmarked === undefined && line.text !== ""
    ? { ...line, text: ` ${line.text}` }
    : line;

/** In the order in which they are tried. */
const readings: readonly { read: (line: PatchLine) => PatchLine; form: ContextMatch }[] = [
  { read: asMarked, form: "exact" },
  { read: asUnmarked, form: "exact" },
  { read: asMarked, form: "trailing-space" },
  { read: asUnmarked, form: "trailing-space" },
  { read: asMarked, form: "trim" },
  { read: asMarked, form: "punctuation" },
];

/** The last of the named lines, each after the one before it, wherever they all stand so. */
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
// As long as git leaves them.
const cutHeadingCharacters = 40;

/** Git cuts long lines where it names them. */
function isHeading(line: string, named: string): boolean {
  const text = line.trim();
  return text === named || (named.length >= cutHeadingCharacters && text.startsWith(named));
}

/** What lies below a line is indented deeper. */
function endOfBlock(lines: readonly string[], heading: number): number {
  const depth = indentOf(lines[heading]!).length;
  const end = lines.findIndex(
    (line, index) => index > heading && line.trim() !== "" && indentOf(line).length <= depth,
  );
  return end === -1 ? lines.length : end + 1;
}

/** Those that stand in the file before. */
export function oldLinesOf(lines: readonly PatchLine[]): string[] {
  return lines.filter(({ kind }) => kind !== "add").map(({ text }) => text);
}
