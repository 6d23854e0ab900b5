import { plainTypography } from "../fit/typography.ts";

/** How exactly a patch's lines matched the file; of several chunks, the loosest match. */
export type ContextMatch = keyof typeof forms;

export type FileLines = ReturnType<typeof createFileLines>;

/** Splits a text into its lines without their line endings, and the offset of each. */
export function createFileLines(text: string) {
  const lines: string[] = [];
  // One entry more than there are lines: the last is the end of the text.
  const starts = [0];
  // The line ending of each line; empty for a last line that has none.
  const ends: string[] = [];
  for (const match of text.matchAll(lineWithEnd)) {
    const line = match.groups?.line ?? match[0];
    lines.push(line);
    ends.push(match[0].slice(line.length));
    starts.push(match.index + match[0].length);
  }
  const made = new Map<ContextMatch, readonly string[]>([["exact", lines]]);
  const inForm = (matchedBy: ContextMatch) => {
    const form = made.get(matchedBy) ?? lines.map(forms[matchedBy]);
    made.set(matchedBy, form);
    return form;
  };
  /** Index of each occurrence of the wanted lines, compared in the given form; at most 200 of them. */
  const seek = (wanted: readonly string[], form: ContextMatch) =>
    seekLines(inForm(form), wanted.map(forms[form]), maxPlaces);
  // The first line ending in the text.
  const lineEnd = /\r\n?|\n/.exec(text)?.[0] ?? "\n";
  return { lines, starts, ends, lineEnd, endsWithNewline: text === "" || /[\r\n]$/.test(text), seek };
}

// More occurrences than this are as ambiguous as two.
const maxPlaces = 200;

const lineWithEnd = /(?<line>[^\r\n]*)(?:\r\n?|\n)|[^\r\n]+$/g;

/** The strictest first. */
const forms = {
  exact: (line: string) => line,
  "trailing-space": (line: string) => line.trimEnd(),
  trim: (line: string) => line.trim(),
  punctuation: (line: string) => plainTypography(line).trim(),
};

export function looserOf(left: ContextMatch, right: ContextMatch): ContextMatch {
  const inOrder = Object.keys(forms);
  return inOrder.indexOf(left) > inOrder.indexOf(right) ? left : right;
}

/** Index of each occurrence of the wanted lines, at most `max` of them; takes linear time. */
function seekLines(lines: readonly string[], wanted: readonly string[], max: number): number[] {
  const places: number[] = [];
  if (wanted.length === 0) return places;
  const fallback = fallbacks(wanted);
  let matched = 0;
  for (let index = 0; index < lines.length && places.length < max; index++) {
    while (matched > 0 && lines[index] !== wanted[matched]) matched = fallback[matched - 1]!;
    if (lines[index] === wanted[matched]) matched++;
    if (matched === wanted.length) {
      places.push(index - wanted.length + 1);
      matched = fallback[matched - 1]!;
    }
  }
  return places;
}

/** The failure table of Knuth, Morris and Pratt: how many lines still match when the next one differs. */
function fallbacks(wanted: readonly string[]): number[] {
  const fallback = [0];
  let matched = 0;
  for (let index = 1; index < wanted.length; index++) {
    while (matched > 0 && wanted[index] !== wanted[matched]) matched = fallback[matched - 1]!;
    if (wanted[index] === wanted[matched]) matched++;
    fallback.push(matched);
  }
  return fallback;
}
