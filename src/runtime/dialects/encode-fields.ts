import { isPlainObject } from "../../shared/json.ts";
import type { DialectParams, ResultFields, ResultSource } from "./dialect.ts";
import { toDialectValue } from "./dialect-value.ts";

/** What the fields of a result are made of. */
export interface ResultParts {
  readonly data: unknown;
  /** In the tool's own terms. */
  readonly input?: unknown;
  readonly text?: string;
  /** How the dialect counts and calls what is in `input`. */
  readonly params?: DialectParams | undefined;
}

/** A result's data in the dialect's shape. Fields whose source is missing are left out. */
export function encodeFields(parts: ResultParts, fields: ResultFields): Record<string, unknown> {
  const encoded: [string, unknown][] = [];
  for (const [field, source] of Object.entries(fields)) {
    const value = readSource(source, parts);
    if (value !== undefined) encoded.push([field, value]);
  }
  return Object.fromEntries(encoded);
}

function readSource(source: ResultSource, parts: ResultParts): unknown {
  if (typeof source === "string") return valueAt(parts.data, source);
  if ("value" in source) return source.value;
  if ("input" in source) return argumentOf(source.input, parts);
  if ("lengthOf" in source) return lengthOf(readSource(source.lengthOf, parts));
  if ("linesOf" in source) return countLines(readSource(source.linesOf, parts));
  if ("text" in source) return parts.text;
  if ("from" in source) return wordFor(valueAt(parts.data, source.from), source);
  if ("entries" in source)
    return source.entries.map((each) => readSource(each, parts)).filter((value) => value !== undefined);
  if (!("list" in source)) {
    const inner = encodeFields(parts, source.fields);
    return Object.keys(inner).length === 0 ? undefined : inner;
  }
  const list = valueAt(parts.data, source.list);
  if (!Array.isArray(list)) return undefined;
  if ("item" in source) return list.map((data) => readSource(source.item, { ...parts, data }));
  return list.map((data) => (isPlainObject(data) ? encodeFields({ ...parts, data }, source.fields) : data));
}

function argumentOf(name: string, { input, params }: ResultParts): unknown {
  return toDialectValue(valueAt(input, name), params?.[name] ?? {});
}

function lengthOf(value: unknown): number | undefined {
  return typeof value === "string" || Array.isArray(value) ? value.length : undefined;
}

/** A line end at the end begins no line. */
function countLines(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
  const lines = value.split("\n");
  return lines.at(-1) === "" ? lines.length - 1 : lines.length;
}

function wordFor(
  value: unknown,
  { words, otherwise }: { words: Readonly<Record<string, string>>; otherwise?: string },
): unknown {
  if (typeof value !== "string") return value;
  return Object.hasOwn(words, value) ? words[value] : (otherwise ?? value);
}

/** The value at a dotted path; the empty path is the value itself. */
function valueAt(data: unknown, path: string): unknown {
  if (path === "") return data;
  let current = data;
  for (const key of path.split(".")) {
    if (!isPlainObject(current) || !Object.hasOwn(current, key)) return undefined;
    current = current[key];
  }
  return current;
}
