import { randomBytes } from "../../../shared/crypto.ts";

/** Marks that ripgrep puts around each match; random, so that no file can contain them by chance or intent. */
export interface MatchMarks {
  readonly open: string;
  readonly close: string;
}

export function createMatchMarks(): MatchMarks {
  const secret = randomBytes(6).toString("base64url");
  return { open: `\u0001${secret}`, close: `\u0002${secret}` };
}

/** Marks never contain `$`, which has a meaning in a replacement. */
export function markArgument({ open, close }: MatchMarks): string {
  return `--replace=${open}\${0}${close}`;
}

export type Range = readonly [from: number, to: number];

/** Ranges of the marked matches, counted without the marks; a match may start on one line and end on another. */
export function findMarked(
  text: string,
  { open, close }: MatchMarks,
  isInside: boolean,
): { ranges: Range[]; length: number; isInside: boolean } {
  const ranges: Range[] = [];
  let inside = isInside;
  let from = 0;
  let removed = 0;
  for (let at = text.indexOf(inside ? close : open); at !== -1; ) {
    const place = at - removed;
    if (inside) ranges.push([from, place]);
    else from = place;
    removed += open.length;
    inside = !inside;
    at = text.indexOf(inside ? close : open, at + open.length);
  }
  const length = text.length - removed;
  if (inside) ranges.push([from, length]);
  return { ranges: ranges.filter(([start, end]) => start < end), length, isInside: inside };
}

export function withoutMarks(text: string, { open, close }: MatchMarks): string {
  return text.replaceAll(open, "").replaceAll(close, "");
}
