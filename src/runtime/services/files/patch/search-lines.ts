import type { Fold } from "../edit/line-folds.ts";

/** Offsets into a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

interface LineSearch<Range> {
  readonly text: string;
  readonly oldText: string;
  readonly fold: Fold;
  /** Returns the match for a range, or undefined to reject it. */
  readonly accept: (range: TextRange) => Range | undefined;
}

// Rejected candidates may overlap, so checking them all could take forever; beyond this, nothing counts as found.
const maxRefusedCharacters = 5_000_000;

/** Finds whole lines only, by adding a newline to both ends of the wanted text and of the text searched. */
export function searchLines<Range>({ text, oldText, fold, accept }: LineSearch<Range>): readonly Range[] {
  const folded = fold(text);
  const endsWithNewline = /[\r\n]$/.test(oldText);
  const wanted = `\n${fold(oldText).text}${endsWithNewline ? "" : "\n"}`;
  const lines = `\n${folded.text}\n`;
  const ranges: Range[] = [];
  let refusedCharacters = 0;
  let position = lines.indexOf(wanted);
  while (position !== -1) {
    const foldedEnd = position + wanted.length - (endsWithNewline ? 1 : 2);
    const start = folded.toOriginal(position, "before");
    const end = folded.toOriginal(foldedEnd, endsWithNewline ? "before" : "after");
    // The added newline at the end is not part of the text.
    const isInside = start !== undefined && end !== undefined && foldedEnd <= folded.text.length;
    const range = isInside ? accept({ start, end }) : undefined;
    if (range !== undefined) ranges.push(range);
    else refusedCharacters += wanted.length;
    if (refusedCharacters > maxRefusedCharacters) return [];
    position = lines.indexOf(wanted, position + (range === undefined ? 1 : wanted.length - 1));
  }
  return ranges;
}
