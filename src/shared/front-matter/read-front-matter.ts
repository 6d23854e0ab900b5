import { DocumentError } from "./document-error.ts";
import { mendYaml } from "./mend-yaml.ts";
import { loadYaml, type YamlEntry, type YamlParser } from "./parse-yaml.ts";

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
  /** Numbers and the like are texts too: what they mean is for the reader of the field to say. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly string[] }
  /** A value with values in it, which is not read. */
  | { readonly kind: "nested" };

/** Reads YAML, and what is written in its place for other tools: texts with a colon in them and without quotes. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
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
  return { fields, body: lines.slice(end + 1).join("\n") };
}

// A document is not trusted to be read in reasonable time.
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
  // A block of text ends with a line break, which nobody means.
  if (typeof value === "string") return { kind: "text", text: value.replace(/\n+$/, "") };
  const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
  return isList ? { kind: "list", items: value } : { kind: "nested" };
}
