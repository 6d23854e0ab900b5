import type { JsonEntries } from "./json-entries.ts";

/** How a JSON text is laid out, to write more in the same way. */
export interface JsonLayout {
  /** Between a name and its value. */
  readonly colon: string;
  /** A line end and the indentation of a level; empty in a text on one line. */
  lineStart(level: number): string;
  /** Between a comma and the next entry. */
  separator(level: number): string;
  quote(text: string): string;
}

/** The layout of a text, by the members of its root. */
export function jsonLayoutOf(text: string, { entries: [first, second] }: JsonEntries): JsonLayout {
  // Real notebooks do not indent further; a hostile one could, so that every new line takes a megabyte.
  const [, newline, indent = ""] = /(\r?\n)([ \t]{0,16})[ \t]*$/.exec(first?.before ?? "") ?? [];
  const lineStart = (level: number) => (newline === undefined ? "" : newline + indent.repeat(level));
  const space = (second?.before ?? "") === "" ? "" : " ";
  // A writer that escapes everything beyond ASCII, such as Python's by default, would do so again.
  const isEscaped = /\\u[0-9a-f]{4}/i.test(text) && !/[^\x00-\x7f]/.test(text);
  return {
    colon: first === undefined || first.colon.length > maxColonCharacters ? ": " : first.colon,
    lineStart,
    separator: (level) => (newline === undefined ? space : lineStart(level)),
    quote: (words) => (isEscaped ? escapeBeyondAscii(JSON.stringify(words)) : JSON.stringify(words)),
  };
}

const maxColonCharacters = 8;

export function onOneLine(layout: JsonLayout): JsonLayout {
  const space = layout.colon.endsWith(" ") ? " " : "";
  return { ...layout, lineStart: () => "", separator: () => space };
}

/** A value as JSON, whose first line stands at a level of indentation. */
export function writeJson(value: unknown, layout: JsonLayout, level: number): string {
  if (typeof value === "string") return layout.quote(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const write = (inner: unknown) => writeJson(inner, layout, level + 1);
  const pieces = Array.isArray(value)
    ? value.map(write)
    : Object.entries(value).map(([name, inner]) => layout.quote(name) + layout.colon + write(inner));
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  if (pieces.length === 0) return `${open}${close}`;
  const inside = pieces.join(`,${layout.separator(level + 1)}`);
  return `${open}${layout.lineStart(level + 1)}${inside}${layout.lineStart(level)}${close}`;
}

function escapeBeyondAscii(json: string): string {
  return json.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
