/** A suggestion as a sentence of its own; without names, what to do instead. */
export function didYouMean(nearest: readonly string[], otherwise = ""): string {
  return nearest.length > 0 ? `Did you mean ${nearest.join(" or ")}?` : otherwise;
}

/** A suggestion at the end of a message; without names, what to do instead. */
export function orMeant(nearest: readonly string[], otherwise?: string): string {
  if (nearest.length > 0) return `; did you mean ${nearest.join(" or ")}?`;
  return otherwise === undefined ? "" : `; ${otherwise}`;
}
