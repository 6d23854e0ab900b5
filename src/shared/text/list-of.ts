/** `1`, `1 and 2`, `1, 2 and 3`. */
export function listOf(items: readonly (string | number)[]): string {
  if (items.length < 2) return items.join("");
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
