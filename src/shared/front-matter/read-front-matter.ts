import { trimEndOf } from "../text/trim-end-of.ts";
import { DocumentError } from "./document-error.ts";

import { loadYaml, type YamlEntry, type YamlParser } from "./parse-yaml.ts";

export type FrontMatter = Awaited<ReturnType<typeof readFrontMatter>>;

export type FrontMatterField = FieldValue & {
  /** Where it begins, counted from 1. */
  readonly line: number;
};

type FieldValue =
  /** Numbers and booleans are texts too; the reader of the field interprets them. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  /** A nested value, which is not read. */
  | { readonly kind: "nested" };

/**
 * Reads the fields between two `---` lines at the start of a document, and the text after them: YAML, and unquoted texts
 * with a colon, which are common though invalid.
 */
export async function readFrontMatter(text: string) {
  const lines = text.split(/\r\n|\r|\n/);
  if (lines[0]?.trimEnd() !== "---")
    throw new DocumentError(1, "the front matter must begin with a line ---");
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line));
  if (end === -1) throw new DocumentError(1, "the front matter has no line --- at its end");
  // Its first line is left blank, so that lines are counted from the beginning of the document.
  const source = ["", ...lines.slice(1, end)];
  if (source.join("\n").length > maxCharacters)
    throw new DocumentError(1, `the front matter is longer than ${maxCharacters} characters; shorten it`);
  const entries = readEntries(source, await loadYaml());
  const fields = new Map<string, FrontMatterField>();
  for (const { key, value, line } of entries) {
    if (fields.has(key)) throw new DocumentError(line, `${key} stands there twice; leave one out`);
    fields.set(key, { ...toField(value), line });
  }
  return { fields: fields as ReadonlyMap<string, FrontMatterField>, body: lines.slice(end + 1).join("\n") };
}

// Bounds the time to parse an untrusted document.
const maxCharacters = 2 ** 16;
const maxMendedLines = 1000;

function readEntries(lines: readonly string[], parse: YamlParser): readonly YamlEntry[] {
  const parsed = parse(lines.join("\n"));
  if (parsed.ok) return parsed.entries;
  if (lines.length <= maxMendedLines) {
    const mended = parse(mendYaml(lines, (text) => parse(text).ok).join("\n"));
    if (mended.ok) return mended.entries;
  }
  const { line, reason } = parsed;
  throw new DocumentError(line, `this is not YAML: ${reason}; if a text is meant, put it in quotes`);
}

function toField(value: unknown): FieldValue {
  // Drops the line break at the end of a block text.
  if (typeof value === "string") return { kind: "text", text: trimEndOf(value, "\n") };
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isList ? { kind: "list", items: value } : { kind: "nested" };
}

type YamlTest = (text: string) => boolean;

/**
 * Repairs almost-YAML as written for other tools: an unquoted text with a colon, as in `description: Use it: for PDFs`,
 * is quoted. An unreadable list or map is emptied, because that field may not be needed. Anything else stays invalid.
 */
function mendYaml(lines: readonly string[], isYaml: YamlTest): readonly string[] {
  const printable = lines.map((line) => line.replace(unprintable, ""));
  return groupFields(printable).flatMap((field) =>
    isYaml(field.join("\n")) ? field : mendField(field, isYaml),
  );
}

const unprintable = /[^\t\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Each field with its continuation lines. */
function groupFields(lines: readonly string[]): string[][] {
  const fields: string[][] = [[]];
  for (const line of lines) {
    if (/^[^\s#\]}-]/.test(line)) fields.push([]);
    fields.at(-1)!.push(line);
  }
  return fields;
}

function mendField(field: readonly string[], isYaml: YamlTest): readonly string[] {
  const [first = "", ...below] = field;
  const [, key, value] = /^([\w.-]+:\s+)(\S.*)$/.exec(first) ?? [];
  if (key === undefined || value === undefined) return field;
  if (/^[[{]/.test(value)) {
    // A closing bracket is often not indented.
    const indented = [first, ...below.map((line) => `  ${line}`)];
    return isYaml(indented.join("\n")) ? indented : [`${key}{}`, ...below.map(() => "")];
  }
  if (/^["'|>&*!%@`#]/.test(value)) return field;
  const texts = [value, ...below].map(withoutComment);
  const mayBeOther = (text: string) => /^\S|^\s+[\w.-]+:(?:\s|$)/.test(text);
  return texts.slice(1).some(mayBeOther) ? field : quote(key, texts);
}

/** Keeps the number of lines. */
function quote(key: string, texts: readonly string[]): readonly string[] {
  const last = texts.findLastIndex((text) => text.trim() !== "");
  return texts.map((text, index) => {
    const escaped = text.trim().replace(/[\\"]/g, "\\$&");
    return `${index === 0 ? `${key}"` : "  "}${escaped}${index === last ? '"' : ""}`;
  });
}

function withoutComment(line: string): string {
  const at = line.search(/(?:^|\s)#/);
  return at === -1 ? line : line.slice(0, at);
}
