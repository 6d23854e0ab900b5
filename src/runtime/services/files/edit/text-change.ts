/** A part of a text that became another: offsets before and after. */
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

/** Puts the replacements, in ascending order and not overlapping, in place of what stands there. */
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
