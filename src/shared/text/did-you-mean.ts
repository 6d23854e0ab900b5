import { quoteControls } from "./quote-controls.ts";

/** A suggestion as a separate sentence; without names, the step to take instead. */
export function didYouMean(nearest: readonly string[], otherwise = ""): string {
  return nearest.length > 0 ? `Did you mean ${listed(nearest)}?` : otherwise;
}

/** A suggestion at the end of a message; without names, what to do instead. */
export function orMeant(nearest: readonly string[], otherwise?: string): string {
  if (nearest.length > 0) return `; did you mean ${listed(nearest)}?`;
  return otherwise === undefined ? "" : `; ${otherwise}`;
}

function listed(nearest: readonly string[]): string {
  return nearest.map(quoteControls).join(" or ");
}
