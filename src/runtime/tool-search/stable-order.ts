/** An order that only grows: whoever was in it keeps the place, also over a time of absence. */
export interface StableOrder {
  has(name: string): boolean;
  /** Those seated before first, in their old order, then the others as they come. */
  arrange<Item extends { readonly name: string }>(items: readonly Item[]): Item[];
}

export function createStableOrder(): StableOrder {
  const places = new Map<string, number>();
  return {
    has: (name) => places.has(name),
    arrange(items) {
      for (const { name } of items) if (!places.has(name)) places.set(name, places.size);
      return items.toSorted((left, right) => places.get(left.name)! - places.get(right.name)!);
    },
  };
}
