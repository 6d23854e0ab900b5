/** A text without irrelevant differences, and the mapping of its offsets back to the original. */
export interface FoldedText {
  readonly text: string;
  /**
   * The offset in the original: `before` or `after` any text that was folded away there.
   * Undefined for an offset inside the replacement of one character.
   */
  toOriginal(offset: number, side: "before" | "after"): number | undefined;
}

/** The pattern must be global and have no groups. */
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

/** A place where folding changed the length; `shift` is what the original is ahead by after it. */
interface Piece {
  readonly foldedStart: number;
  readonly foldedEnd: number;
  readonly shift: number;
}

/** Counts the leading pieces for which `holds` is true, by binary search. */
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
