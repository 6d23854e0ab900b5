/** What stands between the brackets of an object or a list in a JSON text, and where. */
export interface JsonEntries {
  /** Of the opening bracket. */
  readonly start: number;
  /** After the closing bracket. */
  readonly end: number;
  readonly entries: readonly JsonEntry[];
}

export interface JsonEntry {
  /** For a member of an object. */
  readonly name?: string;
  /** Of the name, if it has one, else of the value. */
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
 * Finds the entries of the object or list that starts at an offset. The text must be valid JSON: whoever calls this has
 * parsed it. Takes linear time and no stack, however deep the values are.
 */
export function readJsonEntries(text: string, start: number): JsonEntries {
  const isObject = text[start] === "{";
  const close = isObject ? "}" : "]";
  const entries: JsonEntry[] = [];
  let gapStart = start + 1;
  let position = skipSpace(text, gapStart);
  while (text[position] !== close) {
    const nameEnd = isObject ? endOfString(text, position) : position;
    const valueStart = isObject ? skipSpace(text, skipSpace(text, nameEnd) + 1) : position;
    const end = endOfValue(text, valueStart);
    const next = skipSpace(text, end);
    entries.push({
      ...(isObject && { name: JSON.parse(text.slice(position, nameEnd)) as string }),
      start: position,
      colon: text.slice(nameEnd, valueStart),
      valueStart,
      end,
      before: text.slice(gapStart, position),
      after: text.slice(end, next),
    });
    if (text[next] !== ",") return { start, end: next + 1, entries };
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

function endOfValue(text: string, start: number): number {
  if (text[start] === '"') return endOfString(text, start);
  if (text[start] !== "{" && text[start] !== "[") return endOfMatch(/[-+.\w]+/y, text, start);
  const marks = /["[\]{}]/g;
  marks.lastIndex = start;
  let depth = 0;
  do {
    const mark = marks.exec(text)![0];
    if (mark === '"') marks.lastIndex = endOfString(text, marks.lastIndex - 1);
    else depth += mark === "{" || mark === "[" ? 1 : -1;
  } while (depth > 0);
  return marks.lastIndex;
}

function endOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}

/** After the quotation mark that no backslash escapes. */
function endOfString(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, position: number): boolean {
  let slashes = 0;
  while (text[position - 1 - slashes] === "\\") slashes += 1;
  return slashes % 2 === 1;
}
