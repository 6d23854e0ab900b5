import { closingQuote } from "../json-rpc/find-json-excess.ts";

/** The entries between the brackets of an object or a list in a JSON text, with their places. */
export interface JsonEntries {
  /** The place of the opening bracket. */
  readonly start: number;
  /** The place after the closing bracket. */
  readonly end: number;
  readonly entries: readonly JsonEntry[];
}

export interface JsonEntry {
  /** The name of a member of an object. */
  readonly name: string | undefined;
  /** The place of the name or, in a list, of the value. */
  readonly start: number;
  /** The colon and the whitespace around it; empty in a list. */
  readonly colon: string;
  readonly valueStart: number;
  readonly end: number;
  /** Whitespace on both sides, up to the bracket or comma. */
  readonly before: string;
  readonly after: string;
}

/**
 * Finds the entries of the object or list that starts at an offset. The caller has parsed the text; one that is not
 * JSON all the same ends in a SyntaxError. Takes linear time and no stack, however deep the values are.
 */
export function readJsonEntries(text: string, start: number): JsonEntries {
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") throw unexpected(text, start);
  const close = isObject ? "}" : "]";
  const entries: JsonEntry[] = [];
  let gapStart = start + 1;
  let position = skipSpace(text, gapStart);
  while (text[position] !== close) {
    const nameEnd = isObject ? endOfString(text, position) : position;
    const valueStart = isObject ? skipSpace(text, afterColon(text, nameEnd)) : position;
    const end = endOfValue(text, valueStart);
    const next = skipSpace(text, end);
    entries.push({
      name: isObject ? (JSON.parse(text.slice(position, nameEnd)) as string) : undefined,
      start: position,
      colon: text.slice(nameEnd, valueStart),
      valueStart,
      end,
      before: text.slice(gapStart, position),
      after: text.slice(end, next),
    });
    if (text[next] === close) return { start, end: next + 1, entries };
    if (text[next] !== ",") throw unexpected(text, next);
    gapStart = next + 1;
    position = skipSpace(text, gapStart);
  }
  return { start, end: position + 1, entries };
}

/** The entry that counts: of several members with one name, JSON.parse takes the last. */
export function findMember({ entries }: JsonEntries, name: string): JsonEntry | undefined {
  return entries.findLast((entry) => entry.name === name);
}

export function skipSpace(text: string, start: number): number {
  let position = start;
  while (" \t\n\r".includes(text[position] ?? "x")) position += 1;
  return position;
}

function afterColon(text: string, nameEnd: number): number {
  const colon = skipSpace(text, nameEnd);
  if (text[colon] !== ":") throw unexpected(text, colon);
  return colon + 1;
}

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== "{" && text[start] !== "[") return endOfWord(text, start);
  const marks = /["[\]{}]/g;
  marks.lastIndex = start;
  let depth = 0;
  do {
    const mark = marks.exec(text)?.[0];
    if (mark === undefined) throw unexpected(text, text.length);
    if (mark === '"') marks.lastIndex = endOfString(text, marks.lastIndex - 1);
    else depth += mark === "{" || mark === "[" ? 1 : -1;
  } while (depth > 0);
  return marks.lastIndex;
}

/** Gives the place after a number, `true`, `false` or `null`. */
function endOfWord(text: string, start: number): number {
  const word = /[-+.\w]+/y;
  word.lastIndex = start;
  if (!word.test(text)) throw unexpected(text, start);
  return word.lastIndex;
}

/** Gives the place after the quotation mark that no backslash escapes. */
function endOfString(text: string, start: number): number {
  if (text[start] !== '"') throw unexpected(text, start);
  const end = closingQuote(text, start + 1);
  if (end === text.length) throw unexpected(text, end);
  return end + 1;
}

function unexpected(text: string, position: number): SyntaxError {
  const what = position < text.length ? JSON.stringify(text[position]) : "the end";
  return new SyntaxError(`the text is not JSON: ${what} is not expected at position ${position}`);
}
