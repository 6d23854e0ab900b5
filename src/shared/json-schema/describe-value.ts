import { countOf } from "../text/count-of.ts";

const maxShownCharacters = 60;
const maxShownNames = 20;

/** A value in a few words, short enough for an error message. */
export function describeValue(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value))
    return value.length === 0 ? "an empty array" : `an array of ${countOf(value.length, "item")}`;
  if (typeof value === "object" && value !== null) {
    const keys = Object.keys(value);
    if (keys.length === 0) return "an empty object";
    return `an object with ${keys.slice(0, 5).map(shorten).join(", ")}${keys.length > 5 ? ", …" : ""}`;
  }
  if (typeof value === "string" && value.length > maxShownCharacters) {
    return `${JSON.stringify(value.slice(0, maxShownCharacters))}… (${value.length} characters)`;
  }
  return JSON.stringify(value) ?? typeof value;
}

/** A list in words that stays readable however many there are. */
export function describeList(names: readonly string[]): string {
  const shown = names.slice(0, maxShownNames).map(shorten).join(", ");
  return names.length > maxShownNames ? `${shown}, … (${names.length} in all)` : shown;
}

function shorten(text: string): string {
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
}
