/** An order that only grows: an item keeps its place even while it is absent. */
export interface StableOrder {
  has(name: string): boolean;
  /** Known items first, in their old order, then new ones as given. */
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
