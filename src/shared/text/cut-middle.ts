export interface CutOptions {
  readonly maxCharacters: number;
  /** Share of the kept text that is from the beginning, such as 0.8. */
  readonly headShare: number;
  /** Added to the marker, such as where the full text is; may depend on where the missing part begins. */
  readonly note?: string | ((from: CutPlace) => string) | undefined;
}

/** A place in a text, both counted from 1; without a column the beginning of the line. */
export interface CutPlace {
  readonly line: number;
  readonly column?: number;
}

/**
 * Replaces the middle of a long text with a marker that says exactly how much is missing. Head and tail end at whole
 * lines, unless that would drop half of them.
 */
export function cutMiddle(
  text: string,
  { maxCharacters, headShare, note }: CutOptions,
): { text: string; omitted: number; headEnd: number } {
  if (text.length <= maxCharacters) return { text, omitted: 0, headEnd: text.length };
  const marker = (omitted: number, from: CutPlace) => {
    const added = typeof note === "function" ? note(from) : note;
    return `\n\n... [truncated ${omitted} characters${added === undefined ? "" : `; ${added}`}] ...\n\n`;
  };
  // The marker counts towards the limit; its length is computed with the largest numbers it may have to show.
  const longest = marker(text.length, { line: text.length, column: text.length }).length;
  const room = Math.max(0, maxCharacters - longest);
  const headRoom = Math.floor(room * headShare);
  const tailRoom = room - headRoom;
  const from = text.length - tailRoom;
  const headEnd = lineEndBefore(text, isSplitPair(text, headRoom) ? headRoom - 1 : headRoom, headRoom);
  const tailStart = lineStartAfter(text, isSplitPair(text, from) ? from + 1 : from, tailRoom);
  const omitted = tailStart - headEnd;
  return {
    text: text.slice(0, headEnd) + marker(omitted, placeOf(text, headEnd)) + text.slice(tailStart),
    omitted,
    headEnd,
  };
}

function lineEndBefore(text: string, index: number, room: number): number {
  const end = text.lastIndexOf("\n", index - 1) + 1;
  return end >= room / 2 ? end : index;
}

function lineStartAfter(text: string, index: number, room: number): number {
  if (index === 0 || text[index - 1] === "\n") return index;
  const start = text.indexOf("\n", index) + 1;
  return start > 0 && text.length - start >= room / 2 ? start : index;
}

function placeOf(text: string, index: number): CutPlace {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  return lineStart === index ? { line } : { line, column: index - lineStart + 1 };
}

/** Whether a cut here would split a surrogate pair. */
function isSplitPair(text: string, index: number): boolean {
  const before = text.charCodeAt(index - 1);
  const after = text.charCodeAt(index);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
