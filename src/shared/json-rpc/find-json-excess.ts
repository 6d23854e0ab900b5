export interface JsonLimits {
  readonly maxDepth: number;
  /** Items and properties at every depth together: each of them costs every function that walks through the value. */
  readonly maxValues: number;
  /** Different names of properties: a new one takes the parser, and every copy, many times as long as another value. */
  readonly maxNames: number;
}

/** What a request to us may be. Text counts as one value, however long. */
export const requestLimits: JsonLimits = { maxDepth: 128, maxValues: 20_000, maxNames: 20_000 };

/** What another server may answer, which may describe thousands of tools. */
export const answerLimits: JsonLimits = { maxDepth: 1000, maxValues: 500_000, maxNames: 30_000 };

/** What a notebook may hold, whose outputs can be tables of numbers. */
export const notebookLimits: JsonLimits = {
  maxDepth: Number.POSITIVE_INFINITY,
  maxValues: 1_000_000,
  maxNames: 100_000,
};

/**
 * Says why a JSON text should not be parsed, or undefined if it may. Parsing it would be too late: code that then walks
 * through the value, ours or a library's, may run out of stack or block the process. Text that is not JSON is let
 * through; the parser refuses it.
 */
export function findJsonExcess(
  text: string,
  { maxDepth, maxValues, maxNames }: JsonLimits,
): string | undefined {
  let depth = 0;
  let values = 1;
  // Where there cannot be too many of them, they need not be looked at.
  const names = maxNames < maxValues ? new Set<string>() : undefined;
  let [nameStart, nameEnd] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      nameStart = at + 1;
      at = closingQuote(text, nameStart);
      nameEnd = at;
    } else if (code === openBracket || code === openBrace) {
      depth += 1;
      values += 1;
      if (depth > maxDepth) return `it is nested more than ${maxDepth} deep`;
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1;
    } else if (code === comma) {
      values += 1;
    } else if (code === colon) {
      names?.add(text.slice(nameStart, nameEnd));
    }
    if (values > maxValues) return `it has more than ${maxValues} values`;
    if (names !== undefined && names.size > maxNames) return `it has more than ${maxNames} different names`;
  }
}

/** Position of the quote that ends the string, or the end of the text. Long strings are searched by the engine. */
export function closingQuote(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (first > start && text.charCodeAt(first - 1) === backslash) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const backslash = 0x5c;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
