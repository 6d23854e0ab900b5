import { isPlainObject } from "../json.ts";

/**
 * Shortens a value until its JSON fits: the longest texts lose lines and the longest lists entries, always at their end,
 * so that reading on continues after what is left. Undefined for a value whose other parts are too many for that.
 */
export function fitJson(value: unknown, maxCharacters: number): unknown {
  const fits = (part: number) => lengthOf(shorten(value, part)) <= maxCharacters;
  if (fits(maxCharacters)) return shorten(value, maxCharacters);
  // The most that any text or list may take: found by halving, since shorter parts always make a shorter whole.
  let [low, high] = [0, maxCharacters];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle;
  }
  return fits(low) ? shorten(value, low) : undefined;
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}

/** The value with every text and list in it cut to a length in JSON. */
function shorten(value: unknown, maxCharacters: number): unknown {
  if (typeof value === "string") return shortenText(value, maxCharacters);
  if (Array.isArray(value)) return shortenList(value, maxCharacters);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shorten(inner, maxCharacters)]),
  );
}

function shortenText(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters && lengthOf(text) <= maxCharacters) return text;
  let kept = text.slice(0, maxCharacters);
  // Each round takes off at least what is too much; escapes are at most six characters long.
  while (kept !== "" && lengthOf(kept) > maxCharacters)
    kept = kept.slice(0, -Math.ceil((lengthOf(kept) - maxCharacters) / 6));
  const lineEnd = kept.lastIndexOf("\n") + 1;
  return lineEnd >= kept.length / 2 ? kept.slice(0, lineEnd) : kept.toWellFormed().replace(/\ufffd$/, "");
}

function shortenList(list: readonly unknown[], maxCharacters: number): unknown[] {
  const kept: unknown[] = [];
  let characters = 2;
  for (const entry of list) {
    const shortened = shorten(entry, maxCharacters);
    characters += lengthOf(shortened) + 1;
    if (characters > maxCharacters) break;
    kept.push(shortened);
  }
  return kept;
}
