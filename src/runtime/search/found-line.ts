import type { FoundLine } from "../../tool/search.ts";

/** A match or its surroundings as ripgrep tells it: one line, or several where a match spans them. */
export interface RawLines {
  readonly path: string;
  readonly firstLine: number;
  readonly isMatch: boolean;
  /** As text where they are text. */
  readonly content: string | Buffer;
  /** In bytes. */
  readonly matches: readonly { readonly start: number; readonly end: number }[];
}

type Range = readonly [from: number, to: number];

/** Line by line, each no longer than can be shown, with the places of the matches counted in characters. */
export function toFoundLines({ path, firstLine, isMatch, content, matches }: RawLines): FoundLine[] {
  const { text, ranges } = locate(content, matches);
  const kind = isMatch ? "match" : "context";
  // A line of a minified file may be megabytes long: nothing is done to it that need not be.
  const end = lengthWithoutEnd(text);
  if (text.lastIndexOf("\n", end - 1) === -1)
    return [{ path, line: firstLine, kind, ...cutLine(text.slice(0, end), ranges) }];
  // With several lines the places shift by the line ends, which may be one or two characters long.
  const starts = lineStarts(text);
  return text
    .slice(0, end)
    .split(/\r?\n/)
    .map((line, index) => {
      const start = starts[index] ?? 0;
      const own = ranges.map(([from, to]): Range => [from - start, to - start]);
      return { path, line: firstLine + index, kind, ...cutLine(line, own) };
    });
}

function lengthWithoutEnd(text: string): number {
  if (!text.endsWith("\n")) return text.length;
  return text.length - (text.endsWith("\r\n") ? 2 : 1);
}

/** Ripgrep counts in bytes, we in characters. */
function locate(content: string | Buffer, matches: RawLines["matches"]): { text: string; ranges: Range[] } {
  if (typeof content === "string" && Buffer.byteLength(content) === content.length)
    return { text: content, ranges: matches.map(({ start, end }) => [start, end]) };
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  let decoded = "";
  let done = 0;
  const ranges = matches.map(({ start, end }): Range => {
    decoded += bytes.toString("utf8", done, start);
    const from = decoded.length;
    decoded += bytes.toString("utf8", start, end);
    done = end;
    return [from, decoded.length];
  });
  return { text: decoded + bytes.toString("utf8", done), ranges };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function clip([from, to]: Range, length: number): Range[] {
  const clipped: Range = [Math.max(0, from), Math.min(length, to)];
  return clipped[0] < clipped[1] ? [clipped] : [];
}

const maxLineCharacters = 500;
// So much of what comes before the first match is worth showing.
const lead = 100;

function cutLine(
  line: string,
  found: readonly Range[],
): Pick<FoundLine, "text" | "matches" | "cutBefore" | "cutAfter"> {
  const ranges = found.flatMap((range) => clip(range, line.length));
  if (line.length <= maxLineCharacters) return { text: line, matches: ranges, cutBefore: 0, cutAfter: 0 };
  const latest = line.length - maxLineCharacters;
  const from = Math.max(0, Math.min((ranges[0]?.[0] ?? 0) - lead, latest));
  const start = isSecondHalf(line, from) ? from + 1 : from;
  const end = isSecondHalf(line, start + maxLineCharacters)
    ? start + maxLineCharacters - 1
    : start + maxLineCharacters;
  const text = detach(line.slice(start, end));
  const matches = ranges.flatMap(([first, last]) => clip([first - start, last - start], text.length));
  return { text, matches, cutBefore: start, cutAfter: Math.max(0, line.length - end) };
}

/** A character outside the basic plane takes two places; a cut goes before or behind both. */
function isSecondHalf(line: string, at: number): boolean {
  const code = line.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff;
}

/** A slice keeps the whole string it was taken from in memory; a copy does not. */
function detach(slice: string): string {
  return Buffer.from(slice, "utf16le").toString("utf16le");
}
