import { mapStrings } from "./map-strings.ts";

const maxKeptCharacters = 10_000;

/** A value fit for the record: a file's whole content inside an argument is cut, and says how long it was. */
export function shortenStrings(value: unknown): unknown {
  return mapStrings(value, { text: shorten });
}

function shorten(text: string): string {
  if (text.length <= maxKeptCharacters) return text;
  return `${text.slice(0, maxKeptCharacters)}… [${text.length} characters]`;
}
