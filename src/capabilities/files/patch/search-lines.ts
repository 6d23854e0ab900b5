import type { Fold } from "../edit/line-folds.ts";

/** Offsets into a text. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Finds whole lines only, by adding a newline to both ends of the wanted text and of the text searched. */
export function searchLines(text: string, oldText: string, fold: Fold): readonly TextRange[] {
  const folded = fold(text);
  const endsWithNewline = /[\r\n]$/.test(oldText);
  const wanted = `\n${fold(oldText).text}${endsWithNewline ? "" : "\n"}`;
  const lines = `\n${folded.text}\n`;
  const ranges: TextRange[] = [];
  for (let at = lines.indexOf(wanted); at !== -1; at = lines.indexOf(wanted, at + wanted.length - 1)) {
    const foldedEnd = at + wanted.length - (endsWithNewline ? 1 : 2);
    // The added newline at the end is not part of the text.
    if (foldedEnd > folded.text.length) continue;
    const start = folded.toOriginal(at, "before");
    const end = folded.toOriginal(foldedEnd, endsWithNewline ? "before" : "after");
    if (start !== undefined && end !== undefined) ranges.push({ start, end });
  }
  return ranges;
}
