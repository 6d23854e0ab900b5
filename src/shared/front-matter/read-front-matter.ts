import { DocumentError } from "./document-error.ts";
import { readBlockList, readFlowList } from "./read-list.ts";
import { readQuoted } from "./read-quoted.ts";
import { withoutComment } from "./without-comment.ts";

/** What stands at the beginning of a document between two lines of `---`, and the text after it. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, FrontMatterField>;
  readonly body: string;
}

export type FrontMatterField = FieldValue & {
  /** Where it begins, counted from 1. */
  readonly line: number;
};

type FieldValue =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  /** A value with values in it, which is not read. */
  | { readonly kind: "nested" };

/**
 * Reads as much of YAML as front matter is written in: `key: value` with plain, quoted and block texts, and lists of
 * texts. What could be meant in two ways is refused with its line rather than guessed at.
 */
export function readFrontMatter(text: string): FrontMatter {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines[0]?.trimEnd() !== "---")
    throw new DocumentError(1, "the front matter must begin with a line ---");
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) throw new DocumentError(1, "the front matter has no line --- at its end");
  const fields = new Map<string, FrontMatterField>();
  for (let index = 1; index < end; ) {
    const first = lines[index]!;
    const line = index + 1;
    index += 1;
    if (/^\s*(?:#|$)/.test(first)) continue;
    const { key, rest } = readKey(first, line);
    if (fields.has(key)) throw new DocumentError(line, `${key} stands there twice`);
    const inner: string[] = [];
    while (index < end && isInner(lines[index]!)) inner.push(lines[index++]!);
    fields.set(key, { ...readValue(rest, inner, line), line });
  }
  return { fields, body: lines.slice(end + 1).join("\n") };
}

function readKey(text: string, line: number): { key: string; rest: string } {
  const [beginning = "", key] = /^([A-Za-z_][\w.-]*)\s*:(?=\s|$)/.exec(text) ?? [];
  if (key !== undefined) return { key, rest: text.slice(beginning.length).trim() };
  throw new DocumentError(line, `expected "name: value"; found ${JSON.stringify(text.slice(0, 80))}`);
}

/** Belongs to the key above it; a list, and the end of one, may stand at the same depth as its key. */
function isInner(line: string): boolean {
  return /^(?:[ \t\]}]|- |-$|$)/.test(line);
}

function readValue(rest: string, inner: readonly string[], line: number): FieldValue {
  const [, style, chomp] = /^([|>])([+-]?)(?:\s+#.*)?$/.exec(rest) ?? [];
  if (style !== undefined)
    return asText(readBlock(inner, { isFolded: style === ">", keepsEnd: chomp === "+", line }));
  const content = inner.filter((each) => !/^\s*(?:#|$)/.test(each));
  const text = withoutComment(rest);
  if (text === "") return content.length === 0 ? asText("") : asList(readBlockList(content));
  const whole = [text, ...content.map((each) => each.trim())].join(" ");
  if (/^[[{]/.test(text)) return asList(readFlowList(whole));
  if (/^[&*!%@`|>]/.test(text)) {
    throw new DocumentError(line, `a value cannot begin with ${text[0]} unless it is in quotes`);
  }
  if (text.startsWith('"') || text.startsWith("'")) return asText(readQuoted(whole, line));
  const list = content.find((each) => /^[-\]}]/.test(each));
  if (list !== undefined) throw new DocumentError(line, "there is both a value and a list");
  return asText(whole);
}

function asText(text: string): FieldValue {
  return { kind: "text", text };
}

function asList(items: readonly string[] | undefined): FieldValue {
  return items === undefined ? { kind: "nested" } : { kind: "list", items };
}

interface BlockOptions {
  readonly isFolded: boolean;
  readonly keepsEnd: boolean;
  readonly line: number;
}

function readBlock(inner: readonly string[], { isFolded, keepsEnd, line }: BlockOptions): string {
  const tab = inner.findIndex((each) => /^ *\t/.test(each));
  if (tab !== -1) throw new DocumentError(line + 1 + tab, "a line is indented with a tab; use spaces");
  const indent = inner
    .filter((each) => each.trim() !== "")
    .reduce((least, each) => Math.min(least, each.search(/[^ ]/)), Number.MAX_SAFE_INTEGER);
  if (indent === 0) throw new DocumentError(line, "the text below must be indented");
  const lines = inner.map((each) => each.slice(indent));
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
