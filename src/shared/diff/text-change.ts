/** A replaced part of a text: its offsets in the old and in the new text. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

export interface TextReplacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies the replacements, which must be in ascending order and not overlap. */
export function replaceRanges(
  text: string,
  replacements: readonly TextReplacement[],
): { text: string; changes: TextChange[] } {
  const pieces: string[] = [];
  const changes: TextChange[] = [];
  let copied = 0;
  let shift = 0;
  for (const { start, end, text: replacement } of replacements) {
    pieces.push(text.slice(copied, start), replacement);
    const newStart = start + shift;
    changes.push({ start, end, newStart, newEnd: newStart + replacement.length });
    shift += replacement.length - (end - start);
    copied = end;
  }
  pieces.push(text.slice(copied));
  return { text: pieces.join(""), changes };
}
