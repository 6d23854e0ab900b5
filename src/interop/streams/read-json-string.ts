export interface JsonStringRead {
  readonly state: "whole" | "cut" | "broken";
  /** With its quotation marks; of a string that is cut off, as far as it goes. */
  readonly json: string;
  readonly end: number;
}

/** Reads the string that begins at a quotation mark. Line breaks and other control characters in it are escaped. */
export function readJsonString(text: string, start: number): JsonStringRead {
  // In pieces: one match of any length would need a stack of that length.
  const proper = /(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,4096}/y;
  let json = '"';
  let position = start + 1;
  while (position < text.length) {
    proper.lastIndex = position;
    const [piece] = proper.exec(text) ?? [];
    if (piece !== undefined) {
      json += piece;
      position += piece.length;
      continue;
    }
    const next = text[position]!;
    if (next === '"') return { state: "whole", json: `${json}"`, end: position + 1 };
    if (next === "\\") {
      const state = /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(text.slice(position, position + 6)) ? "cut" : "broken";
      return { state, json: `${withoutHalfPair(json)}"`, end: text.length };
    }
    json += JSON.stringify(next).slice(1, -1);
    position += 1;
  }
  return { state: "cut", json: `${withoutHalfPair(json)}"`, end: position };
}

/** The first half of a character whose second half is yet to come is no character. */
function withoutHalfPair(json: string): string {
  const end = json.slice(-escapeCharacters);
  if (/[\uD800-\uDBFF]$/.test(end)) return json.slice(0, -1);
  if (!/^\\u[dD][89abAB][0-9a-fA-F]{2}$/.test(end)) return json;
  // After a backslash that is itself escaped, these are letters.
  let slashes = 1;
  while (json.at(-escapeCharacters - slashes) === "\\") slashes += 1;
  return slashes % 2 === 1 ? json.slice(0, -escapeCharacters) : json;
}

const escapeCharacters = 6;
