import { lineNumbersAt } from "../../../shared/diff/line-numbers.ts";
import type { ToolError } from "../../../tool/tool-error.ts";
import { createFileLines } from "../diff/file-lines.ts";
import { splitLines } from "../encoding/line-endings.ts";
import { closestRegion } from "./closest-region.ts";
import { noMatch } from "./describe-region.ts";
import { findMatch } from "./find-match.ts";
import { foldText } from "./fold-text.ts";

/** Explains why a text was not found, if a reason is known, and shows the most similar lines. */
export function explainNoMatch(text: string, oldText: string, { path }: { path: string }): ToolError {
  const missing = `the old text is not in ${path}`;
  if (text === "") {
    const advice = "To fill an empty file, use the tool that writes files.";
    return noMatch(`${missing}, which is empty`, advice, undefined);
  }
  for (const { reason, advice, find } of mistakes) {
    const offset = find(text, oldText);
    if (offset === undefined) continue;
    const [line] = lineNumbersAt(text, [offset]);
    return noMatch(`${missing}: ${reason} line ${line}`, advice, closestRegion(text, oldText, offset));
  }
  const omitted = findOmitted(text, oldText);
  if (omitted !== undefined) {
    const { first, last, offset, isMarked } = omitted;
    const lines = first === last ? `line ${first}` : `lines ${first}-${last}`;
    const reason = isMarked ? `it has "..." instead of ${lines}` : `it leaves out ${lines}`;
    const advice = "Write out every line, or replace less at a time.";
    return noMatch(`${missing}: ${reason}`, advice, closestRegion(text, oldText, offset));
  }
  const region = closestRegion(text, oldText);
  if (region === undefined) {
    const advice = "Read the file again: the text may have changed or be in another file.";
    return noMatch(`${missing}, nor anything like it`, advice, undefined);
  }
  const message = `${missing}; similar lines start at line ${region.firstLine}`;
  return noMatch(message, "Copy the old text exactly from the file.", region);
}

interface Mistake {
  readonly reason: string;
  readonly advice: string;
  /** Offset of the text that was probably meant. */
  readonly find: (text: string, oldText: string) => number | undefined;
}

const mistakes: readonly Mistake[] = [
  {
    reason: "its lines start with line numbers; without them it matches",
    advice: "Leave out the line numbers that are shown when a file is read.",
    find: (text, oldText) => offsetOf(text, withoutLineNumbers(oldText)),
  },
  {
    reason: "it contains escape sequences; as plain characters it matches",
    advice: "Write line breaks, tabs and quotes themselves, not escape sequences.",
    find: (text, oldText) => offsetOf(text, withoutEscapes(oldText)),
  },
  {
    reason: "it contains HTML entities; as plain characters it matches",
    advice: "Write <, > and & themselves, not as &lt;, &gt; and &amp;.",
    find: (text, oldText) => offsetOf(text, withoutEntities(oldText)),
  },
  {
    reason: "it contains full-width characters; as ordinary ones it matches",
    advice: "Copy punctuation exactly from the file.",
    find: (text, oldText) => offsetOf(text, changed(oldText, oldText.normalize("NFKC"))),
  },
  {
    reason: "only its whitespace differs from",
    advice: "Copy spaces, tabs and line breaks exactly from the file.",
    find: findIgnoringSpace,
  },
  {
    reason: "only its upper and lower case differ from",
    advice: "Copy the letters exactly from the file.",
    find: findIgnoringCase,
  },
];

/** Offset of the corrected text, which may differ in line endings and indentation as any old text may. */
function offsetOf(text: string, part: string | undefined): number | undefined {
  if (part === undefined || part.trim() === "") return undefined;
  const match = findMatch(text, part);
  return match.kind === "none" ? undefined : match.ranges[0]!.start;
}

function changed(before: string, after: string): string | undefined {
  return before === after ? undefined : after;
}

function withoutEntities(oldText: string): string | undefined {
  if (!oldText.includes("&")) return undefined;
  const decoded = oldText.replace(
    /&(?:lt|gt|amp|quot|apos|nbsp|#39|#34|#x27|#x22);/g,
    (entity) => entities.get(entity)!,
  );
  return changed(oldText, decoded);
}

const entities: ReadonlyMap<string, string> = new Map([
  ["&lt;", "<"],
  ["&gt;", ">"],
  ["&amp;", "&"],
  ["&quot;", '"'],
  ["&#34;", '"'],
  ["&#x22;", '"'],
  ["&apos;", "'"],
  ["&#39;", "'"],
  ["&#x27;", "'"],
  ["&nbsp;", " "],
]);

function withoutLineNumbers(oldText: string): string | undefined {
  const lines = splitLines(oldText);
  const isNumbered = lines.every((line) => line === "" || numberedLine.test(line));
  return isNumbered ? lines.map((line) => line.replace(numberedLine, "")).join("\n") : undefined;
}

const numberedLine = /^ {0,12}\d{1,9}(?:\t|→|: ?| ?\| ?)/;

function withoutEscapes(oldText: string): string | undefined {
  if (!oldText.includes("\\")) return undefined;
  const plain = oldText.replace(/\\([nrt"'`\\])/g, (_, character: string) => escapes[character] ?? character);
  return changed(oldText, plain);
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

// In larger texts finding the reason takes too long; the closest region is shown anyway.
const maxFoldedCharacters = 8_000_000;

function findIgnoringSpace(text: string, oldText: string): number | undefined {
  const wanted = oldText.replace(/\s+/g, "");
  if (wanted === "" || text.length > maxFoldedCharacters) return undefined;
  const folded = foldText(text, /\s+/g, () => "");
  const offset = folded.text.indexOf(wanted);
  return offset === -1 ? undefined : folded.toOriginal(offset, "after");
}

function findIgnoringCase(text: string, oldText: string): number | undefined {
  if (text.length > maxFoldedCharacters) return undefined;
  const folded = text.toLowerCase();
  // A few letters become two characters in lower case, which would shift the offsets.
  if (folded.length !== text.length) return undefined;
  const offset = folded.indexOf(oldText.toLowerCase());
  return offset === -1 ? undefined : offset;
}

/** Lines of a text that the wanted lines skip, though they match everything around. */
interface OmittedLines {
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
function findOmitted(text: string, oldText: string): OmittedLines | undefined {
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
