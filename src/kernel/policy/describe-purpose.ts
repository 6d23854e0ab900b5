/** What a command of a category does, as a verb; undefined for `general`, which says nothing. */
export function purposeOf(category: string | undefined): string | undefined {
  return category === undefined ? undefined : purposes.get(category);
}

const purposes: ReadonlyMap<string, string> = new Map([
  ["search", "searches"],
  ["read", "reads"],
  ["list", "lists"],
  ["write", "writes"],
  ["silent", "prints nothing"],
]);
