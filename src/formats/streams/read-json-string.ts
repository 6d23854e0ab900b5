export interface JsonStringRead {
  readonly state: "whole" | "cut" | "broken";
  /** With its quotation marks; a string that is cut off is closed where it ends. */
  readonly json: string;
  readonly end: number;
}

/** Reads the string that starts at a quotation mark, and escapes line breaks and other control characters in it. */
export function readJsonString(text: string, start: number): JsonStringRead {
  // In pieces, because a single match of any length would overflow the stack.
  const proper = /(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})){1,4096}/y;
  let json = '"';
  let position = start + 1;
  while (position < text.length) {
    proper.lastIndex = position;
    const [piece] = proper.exec(text) ?? [];
    if (piece !== undefined) {
      json += piece.replace(controls, escapeRun);
      position += piece.length;
      continue;
    }
    const next = text[position]!;
    if (next === '"') return { state: "whole", json: `${json}"`, end: position + 1 };
    const state = /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(text.slice(position, position + 6)) ? "cut" : "broken";
    return { state, json: `${withoutHalfPair(json)}"`, end: text.length };
  }
  return { state: "cut", json: `${withoutHalfPair(json)}"`, end: position };
}

const controls = /[\u0000-\u001f]+/g;

function escapeRun(run: string): string {
  return JSON.stringify(run).slice(1, -1);
}

/** Drops a lone high surrogate at the end, whose other half is yet to come. */
function withoutHalfPair(json: string): string {
  const end = json.slice(-escapeCharacters);
  if (/[\uD800-\uDBFF]$/.test(end)) return json.slice(0, -1);
  if (!/^\\u[dD][89abAB][0-9a-fA-F]{2}$/.test(end)) return json;
  // After an escaped backslash, these are ordinary characters and not an escape.
  let slashes = 1;
  while (json.at(-escapeCharacters - slashes) === "\\") slashes += 1;
  return slashes % 2 === 1 ? json.slice(0, -escapeCharacters) : json;
}

const escapeCharacters = 6;
