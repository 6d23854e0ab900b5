import { plainTypography } from "../edit/typography.ts";
import { seekLines } from "../patch/seek-lines.ts";

/** How exactly a patch's lines matched the file; of several chunks, the loosest match. */
export type ContextMatch = "exact" | "trailing-space" | "trim" | "punctuation";

/** A file's lines without their line endings, and the offset of each. */
export interface FileLines {
  readonly lines: readonly string[];
  /** One entry more than there are lines: the last is the end of the text. */
  readonly starts: readonly number[];
  readonly lineEnd: string;
  readonly endsWithNewline: boolean;
  /** Finds the lines at or after line `from`; looser matches are tried only when stricter ones find nothing. */
  seek(wanted: readonly string[], from: number): { first: number; matchedBy: ContextMatch } | undefined;
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
  const seek = (wanted: readonly string[], from: number) => {
    for (const matchedBy of contextMatches) {
      const first = seekLines(inForm(matchedBy), wanted.map(forms[matchedBy]), from);
      if (first !== undefined) return { first, matchedBy };
    }
    return undefined;
  };
  const lineEnd = /\r\n?|\n/.exec(text)?.[0] ?? "\n";
  return { lines, starts, lineEnd, endsWithNewline: text === "" || /[\r\n]$/.test(text), seek };
}

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
