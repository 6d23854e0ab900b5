import { plainTypography } from "../edit/typography.ts";
import { seekLines } from "../patch/seek-lines.ts";

/** How far the lines of a patch were from those of the file, the loosest of all its chunks. */
export type ContextMatch = "exact" | "trailing-space" | "trim" | "punctuation";

/** A file's lines without their ends, and where each begins. */
export interface FileLines {
  readonly lines: readonly string[];
  /** One more than there are lines: the last is the end of the text. */
  readonly starts: readonly number[];
  readonly lineEnd: string;
  readonly endsWithNewline: boolean;
  /** Every place where the lines stand in this form, as far as anybody wants to know. */
  seek(wanted: readonly string[], form: ContextMatch): readonly number[];
}

export function createFileLines(text: string): FileLines {
  const lines: string[] = [];
  const starts = [0];
  for (const match of text.matchAll(lineWithEnd)) {
    lines.push(match.groups?.line ?? match[0]);
    starts.push(match.index + match[0].length);
  }
  const made = new Map<ContextMatch, readonly string[]>([["exact", lines]]);
  const inForm = (matchedBy: ContextMatch) => {
    const form = made.get(matchedBy) ?? lines.map(forms[matchedBy]);
    made.set(matchedBy, form);
    return form;
  };
  const seek = (wanted: readonly string[], form: ContextMatch) =>
    seekLines(inForm(form), wanted.map(forms[form]), maxPlaces);
  const lineEnd = /\r\n?|\n/.exec(text)?.[0] ?? "\n";
  return { lines, starts, lineEnd, endsWithNewline: text === "" || /[\r\n]$/.test(text), seek };
}

// Which of so many places was meant, nobody could tell anyway.
const maxPlaces = 200;

const lineWithEnd = /(?<line>[^\r\n]*)(?:\r\n?|\n)|[^\r\n]+$/g;

const forms = {
  exact: (line) => line,
  "trailing-space": (line) => line.trimEnd(),
  trim: (line) => line.trim(),
  punctuation: (line) => plainTypography(line).trim(),
} satisfies Record<ContextMatch, (line: string) => string>;

const contextMatches: readonly ContextMatch[] = ["exact", "trailing-space", "trim", "punctuation"];

export function looserOf(left: ContextMatch, right: ContextMatch): ContextMatch {
  return contextMatches.indexOf(left) > contextMatches.indexOf(right) ? left : right;
}
