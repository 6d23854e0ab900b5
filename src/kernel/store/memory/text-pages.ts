/** Where a text is stored. */
export interface TextPlace {
  readonly page: Buffer;
  readonly start: number;
  readonly end: number;
}

const pageBytes = 1024 * 1024;

/**
 * Stores texts in large buffers outside of JavaScript's heap. Many long-lived texts then do not slow garbage collection,
 * and are limited by the machine's memory instead of the heap's limit.
 */
export function createTextPages(): (text: string) => TextPlace {
  let page = Buffer.alloc(0);
  let free = 0;
  return (text) => {
    // No character takes more than three bytes; counting them first would cost as much as writing.
    const needed = text.length * 3;
    if (needed > page.length - free) {
      const length = needed > pageBytes / 4 ? Buffer.byteLength(text) : needed;
      if (length > pageBytes / 4) return { page: Buffer.from(text), start: 0, end: length };
      page = Buffer.allocUnsafeSlow(pageBytes);
      free = 0;
    }
    const start = free;
    free += page.write(text, start);
    return { page, start, end: free };
  };
}

/** A long list of texts outside of the heap, without an object for each. */
export type TextColumn = ReturnType<typeof createTextColumn>;

export function createTextColumn() {
  const pages: Buffer[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  return {
    push({ page, start, end }: TextPlace) {
      pages.push(page);
      starts.push(start);
      ends.push(end);
    },
    read: (index: number) => pages[index]!.toString("utf8", starts[index], ends[index]),
  };
}
