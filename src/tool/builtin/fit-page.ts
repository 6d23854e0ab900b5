import { countOf } from "../../shared/text/count-of.ts";
import type { Wording } from "../wording.ts";

export interface PageRange {
  /** Entries on earlier pages. */
  readonly offset: number;
  readonly limit: number;
  readonly maxOutputCharacters: number;
}

/** The entries of a page: as many as were asked for and fit whole, by the characters that each takes in the text. */
export function takePage<Entry>(
  entries: readonly Entry[],
  { offset, limit, maxOutputCharacters }: PageRange,
  sizeOf: (entry: Entry) => number,
): readonly Entry[] {
  const wanted = entries.slice(offset, offset + limit);
  return wanted.slice(0, countFitting(wanted.map(sizeOf), pageRoom(maxOutputCharacters)));
}

/** What a page's entries may take up, beside the notes at its end. */
export function pageRoom(maxOutputCharacters: number): number {
  return maxOutputCharacters - Math.min(maxNoteCharacters, Math.floor(maxOutputCharacters / 4));
}

const maxNoteCharacters = 500;

/** How many of the entries fit: at least one, so that the next page goes on. */
export function countFitting(sizes: readonly number[], room: number): number {
  let taken = 0;
  const end = sizes.findIndex((size, index) => {
    taken += size;
    return taken > room && index > 0;
  });
  return end === -1 ? sizes.length : end;
}

/** Which of the entries a page shows, if not all of them, and how to get the next ones. */
export function describePage(page: ShownPage, wording: Wording): string[] {
  const { offset = 0, shown, total, truncated, noun } = page;
  const next = offset + shown;
  if (shown === 0 && offset > 0 && total !== undefined && total > 0)
    return [
      `(There are only ${countOf(total, noun)}, so there is nothing at ${wording.argument("offset", offset)}.)`,
    ];
  if (!truncated) return [];
  const range = `${offset + 1}-${next}${total === undefined ? "" : ` of ${total}`}`;
  return [`(Showing ${range}. Continue with ${wording.argument("offset", next)}.)`];
}

interface ShownPage {
  readonly offset?: number;
  readonly shown: number;
  /** If it is known. */
  readonly total?: number;
  readonly truncated: boolean;
  readonly noun: string;
}
