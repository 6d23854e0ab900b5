export interface CutOptions {
  readonly maxCharacters: number;
  /** How much of what stays is from the beginning: 0.8 keeps four fifths there. */
  readonly headShare: number;
  /** Said beside the count, such as where the rest is. */
  readonly note?: string;
}

/** Cuts the middle out of a long text and says in its place exactly how much is missing. */
export function cutMiddle(
  text: string,
  { maxCharacters, headShare, note }: CutOptions,
): { text: string; omitted: number } {
  if (text.length <= maxCharacters) return { text, omitted: 0 };
  // The marker is part of the limit; its own length is found with the largest count it may have to name.
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

/** Whether a cut here would leave half of a character on each side. */
function isSplitPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
