export interface JsonStringRead {
  readonly state: "whole" | "cut" | "broken";
  /** With its quotation marks; of a string that is cut off, as far as it goes. */
  readonly json: string;
  readonly end: number;
}

/** Reads the string that begins at a quotation mark. Line breaks and other control characters in it are escaped. */
export function readJsonString(text: string, start: number): JsonStringRead {
  const plain = /[^"\\\u0000-\u001f]+/y;
  const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
  let json = '"';
  let last = "";
  let position = start + 1;
  while (position < text.length) {
    const piece = matchAt(plain, text, position) ?? matchAt(escaped, text, position);
    if (piece !== undefined) {
      json += piece;
      last = piece;
      position += piece.length;
      continue;
    }
    const next = text[position]!;
    if (next === '"') return { state: "whole", json: `${json}"`, end: position + 1 };
    if (next === "\\") {
      const state = /^\\(?:u[0-9a-fA-F]{0,3})?$/.test(text.slice(position, position + 6)) ? "cut" : "broken";
      return { state, json: `${withoutHalfPair(json, last)}"`, end: text.length };
    }
    last = JSON.stringify(next).slice(1, -1);
    json += last;
    position += 1;
  }
  return { state: "cut", json: `${withoutHalfPair(json, last)}"`, end: position };
}

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

/** The first half of a character whose second half is yet to come is no character. */
function withoutHalfPair(json: string, last: string): string {
  if (/^\\u[dD][89abAB][0-9a-fA-F]{2}$/.test(last)) return json.slice(0, -last.length);
  return /[\uD800-\uDBFF]$/.test(last) ? json.slice(0, -1) : json;
}
