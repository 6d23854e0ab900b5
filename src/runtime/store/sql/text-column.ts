import type { TextPlace } from "./text-pages.ts";

/** A long list of texts that lie outside of the heap: the list itself is no object for each of them either. */
export interface TextColumn {
  push(place: TextPlace): void;
  read(index: number): string;
}

export function createTextColumn(): TextColumn {
  const pages: Buffer[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  return {
    push({ page, start, end }) {
      pages.push(page);
      starts.push(start);
      ends.push(end);
    },
    read: (index) => pages[index]!.toString("utf8", starts[index], ends[index]),
  };
}
