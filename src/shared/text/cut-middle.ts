export interface CutOptions {
  readonly maxCharacters: number;
  /** Share of the kept text that is from the beginning, such as 0.8. */
  readonly headShare: number;
  /** Added to the marker, such as where the full text is. */
  readonly note?: string;
}

/** Replaces the middle of a long text with a marker that says exactly how much is missing. */
export function cutMiddle(
  text: string,
  { maxCharacters, headShare, note }: CutOptions,
): { text: string; omitted: number } {
  if (text.length <= maxCharacters) return { text, omitted: 0 };
  // The marker counts towards the limit; its length is computed with the largest count it may have to show.
  const room = Math.max(0, maxCharacters - marker(text.length, note).length);
  const headEnd = beforeSplitPair(text, Math.floor(room * headShare));
  const tailStart = afterSplitPair(text, text.length - (room - Math.floor(room * headShare)));
  const omitted = tailStart - headEnd;
  return { text: text.slice(0, headEnd) + marker(omitted, note) + text.slice(tailStart), omitted };
}

function marker(omitted: number, note: string | undefined): string {
  return `\n\n... [truncated ${omitted} characters${note === undefined ? "" : `; ${note}`}] ...\n\n`;
}

function beforeSplitPair(text: string, index: number): number {
  return isSplitPair(text, index) ? index - 1 : index;
}

function afterSplitPair(text: string, index: number): number {
  return isSplitPair(text, index) ? index + 1 : index;
}

/** Whether a cut here would split a surrogate pair. */
function isSplitPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
