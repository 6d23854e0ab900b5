/** An order that only grows: whoever was in it keeps the place, also over a time of absence. */
export interface Seats {
  has(name: string): boolean;
  /** Those seated before first, in their old order, then the others as they come. */
  arrange<Item extends { readonly name: string }>(items: readonly Item[]): Item[];
}

export function createSeats(): Seats {
  const seats = new Map<string, number>();
  return {
    has: (name) => seats.has(name),
    arrange(items) {
      for (const { name } of items) if (!seats.has(name)) seats.set(name, seats.size);
      return items.toSorted((left, right) => seats.get(left.name)! - seats.get(right.name)!);
    },
  };
}
