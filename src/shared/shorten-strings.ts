import { isPlainObject } from "./json.ts";

const maxKeptCharacters = 10_000;

/** A copy fit for the record: a file's whole content inside an argument is cut, and says how long it was. */
export function shortenStrings(value: unknown): unknown {
  if (typeof value === "string") {
    if (value.length <= maxKeptCharacters) return value;
    return `${value.slice(0, maxKeptCharacters)}… [${value.length} characters]`;
  }
  if (Array.isArray(value)) return value.map(shortenStrings);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shortenStrings(inner)]));
}
