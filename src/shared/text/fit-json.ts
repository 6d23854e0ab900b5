import { isPlainObject } from "../json.ts";

/**
 * Shortens a value until its JSON fits: the longest texts lose lines and the longest lists entries, always at their end,
 * so that reading on continues after the kept part. Undefined for a value whose other parts are too many for that.
 */
export function fitJson(value: unknown, maxCharacters: number): unknown {
  const within = (part: number) => shorten(value, part, maxCharacters);
  const whole = within(maxCharacters);
  if (whole !== undefined) return whole.value;
  let best = within(0);
  if (best === undefined) return undefined;
  // The most that any text or list may take: found by halving, since shorter parts always make a shorter whole.
  let [low, high] = [0, maxCharacters];
  while (high - low > Math.max(1, maxCharacters / precision)) {
    const middle = Math.floor((low + high) / 2);
    const found = within(middle);
    if (found === undefined) high = middle;
    else [low, best] = [middle, found];
  }
  return best.value;
}

const precision = 500;

/** A value, and how long its JSON is. */
interface Shortened {
  readonly value: unknown;
  readonly size: number;
}

/**
 * The value with every text and list in it cut to a length in JSON; undefined as soon as it does not fit in the room, so
 * that a long value takes no more time than the room.
 */
function shorten(value: unknown, maxPart: number, room: number): Shortened | undefined {
  const short = Array.isArray(value)
    ? shortenList(value, maxPart)
    : isPlainObject(value)
      ? shortenFields(value, maxPart, room)
      : measured(typeof value === "string" ? shortenText(value, maxPart) : value);
  return short === undefined || short.size > room ? undefined : short;
}

function measured(value: unknown): Shortened {
  return { value, size: (JSON.stringify(value) ?? "").length };
}

function shortenList(list: readonly unknown[], maxPart: number): Shortened {
  const kept: unknown[] = [];
  let size = 2;
  for (const entry of list) {
    const short = shorten(entry, maxPart, maxPart - size - 1);
    if (short === undefined) break;
    kept.push(short.value);
    size += short.size + 1;
  }
  return { value: kept, size };
}

function shortenFields(fields: object, maxPart: number, room: number): Shortened | undefined {
  const kept: [string, unknown][] = [];
  let size = 2;
  for (const name in fields) {
    if (!Object.hasOwn(fields, name)) continue;
    size += measured(name).size + 2;
    const short = size > room ? undefined : shorten(fields[name as never], maxPart, room - size);
    if (short === undefined) return undefined;
    kept.push([name, short.value]);
    size += short.size;
  }
  return { value: Object.fromEntries(kept), size };
}

function shortenText(text: string, maxPart: number): string {
  let size = 2;
  let end = 0;
  for (; end < text.length; end += 1) {
    size += sizeAt(text, end);
    if (size > maxPart) break;
  }
  if (end === text.length) return text;
  const kept = text.slice(0, end);
  const lineEnd = kept.lastIndexOf("\n") + 1;
  return lineEnd >= kept.length / 2 ? kept.slice(0, lineEnd) : kept.toWellFormed().replace(/\ufffd$/, "");
}

/** How many characters stand for this one in JSON. */
function sizeAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === quote || code === backslash) return 2;
  if (code < space) return escapedShort.has(code) ? 2 : 6;
  return isSurrogate(code) && !isSurrogate(text.charCodeAt(at + 1)) && !isSurrogate(text.charCodeAt(at - 1))
    ? 6
    : 1;
}

function isSurrogate(code: number): boolean {
  return code >= firstSurrogate && code <= lastSurrogate;
}

const [space, quote, backslash, firstSurrogate, lastSurrogate] = [0x20, 0x22, 0x5c, 0xd800, 0xdfff];
const escapedShort: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);
