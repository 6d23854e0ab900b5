/** What stands at the beginning of a SKILL.md between two lines of `---`, and the text after it. */
export interface FrontMatter {
  /** The values at the top that are text; lists and nested values are left out. */
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The front matter cannot be read, and where. */
export class FrontMatterError extends Error {
  override readonly name = "FrontMatterError";
  /** Counted from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/**
 * Reads as much of YAML as front matter is written in: `key: value` with plain, quoted and block texts. What could be
 * meant in two ways is refused with its line rather than guessed at.
 */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines[0]?.trimEnd() !== "---")
    throw new FrontMatterError(1, "the front matter must begin with a line ---");
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) throw new FrontMatterError(1, "the front matter has no line --- at its end");
  const fields = new Map<string, string>();
  const known = new Set<string>();
  for (let index = 1; index < end; ) {
    const first = lines[index]!;
    const number = index + 1;
    index += 1;
    if (/^\s*(?:#|$)/.test(first)) continue;
    const { key, rest } = readKey(first, number);
    if (known.has(key)) throw new FrontMatterError(number, `${key} stands there twice`);
    known.add(key);
    const inner: string[] = [];
    while (index < end && isInner(lines[index]!)) inner.push(lines[index++]!);
    const value = readValue(rest, inner, number);
    if (value !== undefined) fields.set(key, value);
  }
  return { fields, body: lines.slice(end + 1).join("\n") };
}

function readKey(line: string, number: number): { key: string; rest: string } {
  const [beginning = "", key] = /^([A-Za-z_][\w.-]*)\s*:(?=\s|$)/.exec(line) ?? [];
  if (key !== undefined) return { key, rest: line.slice(beginning.length).trim() };
  throw new FrontMatterError(number, `expected "name: value"; found ${JSON.stringify(line.slice(0, 80))}`);
}

/** Belongs to the key above it; a list may stand at the same depth as its key. */
function isInner(line: string): boolean {
  return /^(?:[ \t]|- |-$|$)/.test(line);
}

function readValue(rest: string, inner: readonly string[], number: number): string | undefined {
  const [, style, chomp] = /^([|>])([+-]?)(?:\s+#.*)?$/.exec(rest) ?? [];
  if (style !== undefined)
    return readBlock(inner, { isFolded: style === ">", keepsEnd: chomp === "+", number });
  const content = inner.filter((line) => !/^\s*(?:#|$)/.test(line));
  const text = withoutComment(rest);
  // A list or a mapping of its own, which nothing here is read from.
  if (text === "" || /^[[{]/.test(text)) return text === "" && content.length === 0 ? "" : undefined;
  if (/^[&*!%@`|>]/.test(text)) {
    throw new FrontMatterError(number, `a value cannot begin with ${text[0]} unless it is in quotes`);
  }
  const whole = [text, ...content.map((line) => line.trim())].join(" ");
  if (text.startsWith('"') || text.startsWith("'")) return readQuoted(whole, number);
  const list = content.find((line) => line.startsWith("-"));
  if (list !== undefined) throw new FrontMatterError(number, "there is both a value and a list");
  return whole;
}

/** A `#` begins a comment where it stands alone or after a space, outside of quotes. */
function withoutComment(text: string): string {
  if (/^["']/.test(text)) return text;
  const at = text.search(/(?:^|\s)#/);
  return at === -1 ? text : text.slice(0, at).trimEnd();
}

function readQuoted(text: string, number: number): string {
  const isDouble = text.startsWith('"');
  const pattern = isDouble ? /^"((?:[^"\\]|\\.)*)"\s*(?:#.*)?$/s : /^'((?:[^']|'')*)'\s*(?:#.*)?$/s;
  const [, inner] = pattern.exec(text) ?? [];
  if (inner === undefined) throw new FrontMatterError(number, "the quotes do not end where the value does");
  return isDouble ? readEscapes(inner, number) : inner.replaceAll("''", "'");
}

function readEscapes(text: string, number: number): string {
  return text.replace(
    /\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gis,
    (_all, two, four, one: string | undefined) => {
      const code = two ?? four;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      const character = escapes.get(one ?? "");
      if (character === undefined) throw new FrontMatterError(number, `\\${one} means nothing in quotes`);
      return character;
    },
  );
}

const escapes = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ['"', '"'],
  ["'", "'"],
  ["\\", "\\"],
  ["/", "/"],
  [" ", " "],
]);

interface BlockOptions {
  readonly isFolded: boolean;
  readonly keepsEnd: boolean;
  readonly number: number;
}

function readBlock(inner: readonly string[], { isFolded, keepsEnd, number }: BlockOptions): string {
  const tab = inner.findIndex((line) => /^ *\t/.test(line));
  if (tab !== -1) throw new FrontMatterError(number + 1 + tab, "a line is indented with a tab; use spaces");
  const indent = inner
    .filter((line) => line.trim() !== "")
    .reduce((least, line) => Math.min(least, line.search(/[^ ]/)), Number.MAX_SAFE_INTEGER);
  if (indent === 0) throw new FrontMatterError(number, "the text below must be indented");
  const lines = inner.map((line) => line.slice(indent));
  const text = isFolded ? fold(lines) : lines.join("\n");
  return keepsEnd ? text : text.trimEnd();
}

/** Line breaks become spaces, and blank lines line breaks. */
function fold(lines: readonly string[]): string {
  return lines
    .join("\n")
    .replace(/(?<=\S)\n(?=\S)/g, " ")
    .replace(/\n\n+/g, (breaks) => breaks.slice(1));
}
