/** A text with differences that do not matter taken out, and the way back to where things were. */
export interface FoldedText {
  readonly text: string;
  /**
   * The place in the original. What was folded away there lies behind it (`before`) or in front of it (`after`);
   * nothing for a place inside of what was one character.
   */
  toOriginal(offset: number, side: "before" | "after"): number | undefined;
}

/** The pattern is global and has no groups. */
export function foldText(text: string, pattern: RegExp, replace: (found: string) => string): FoldedText {
  const pieces: Piece[] = [];
  let shift = 0;
  const folded = text.replace(pattern, (found: string, start: number) => {
    const replacement = replace(found);
    if (replacement.length === found.length) return replacement;
    const foldedStart = start - shift;
    shift += found.length - replacement.length;
    pieces.push({ foldedStart, foldedEnd: foldedStart + replacement.length, shift });
    return replacement;
  });
  const toOriginal = (offset: number, side: "before" | "after") => {
    const begun = countWhile(pieces, ({ foldedStart }) => foldedStart < offset);
    const ended = countWhile(pieces, ({ foldedEnd }) => foldedEnd <= offset);
    if (begun > ended) return undefined;
    const passed = side === "before" ? begun : ended;
    return offset + (pieces[passed - 1]?.shift ?? 0);
  };
  return { text: folded, toOriginal };
}

/** A place where the length changed, and by how much the original is ahead after it. */
interface Piece {
  readonly foldedStart: number;
  readonly foldedEnd: number;
  readonly shift: number;
}

/** How many pieces from the first on have what all before them have, too. */
function countWhile(pieces: readonly Piece[], holds: (piece: Piece) => boolean): number {
  let low = 0;
  let high = pieces.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(pieces[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
