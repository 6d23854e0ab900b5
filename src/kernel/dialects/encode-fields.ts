import { isPlainObject } from "../../shared/json.ts";
import type { DialectParams, ResultFields, ResultSource } from "./dialect.ts";
import { toDialectValue } from "./dialect-value.ts";

/** The parts of a result that its fields are made of. */
export interface ResultParts {
  readonly data: unknown;
  /** In the tool's own terms. */
  readonly input?: unknown;
  readonly text?: string;
}

type Encoder<Encoded> = (parts: ResultParts) => Encoded;

/**
 * Puts a result's data into the dialect's shape; fields whose source is missing are left out. Made once for many results,
 * because sources would otherwise be taken apart with every call. `params` say how the dialect counts and names the
 * input's parts.
 */
export function createFieldEncoder(
  fields: ResultFields,
  params: DialectParams = {},
): Encoder<Record<string, unknown>> {
  const encoders = Object.entries(fields).map(([field, source]) => ({
    field,
    encode: createEncoder(source, params),
  }));
  return (parts) => {
    const encoded: Record<string, unknown> = {};
    for (const { field, encode } of encoders) {
      const value = encode(parts);
      if (value !== undefined) encoded[field] = value;
    }
    return encoded;
  };
}

function createEncoder(source: ResultSource, params: DialectParams): Encoder<unknown> {
  if (typeof source === "string") return inData(createReader(source));
  if ("value" in source) return () => source.value;
  if ("input" in source) return createArgumentEncoder(source.input, params);
  if ("lengthOf" in source) return after(createEncoder(source.lengthOf, params), lengthOf);
  if ("linesOf" in source) return after(createEncoder(source.linesOf, params), countLines);
  if ("text" in source) return ({ text }) => text;
  if ("from" in source) return after(inData(createReader(source.from)), (value) => wordFor(value, source));
  if ("entries" in source) {
    const encoders = source.entries.map((each) => createEncoder(each, params));
    return (parts) => encoders.map((encode) => encode(parts)).filter((value) => value !== undefined);
  }
  if (!("list" in source)) return after(createFieldEncoder(source.fields, params), unlessEmpty);
  return createListEncoder(source, params);
}

function createListEncoder(
  source: Extract<ResultSource, { readonly list: string }>,
  params: DialectParams,
): Encoder<unknown> {
  const read = createReader(source.list);
  const encode =
    "item" in source ? createEncoder(source.item, params) : createObjectEncoder(source.fields, params);
  return (parts) => {
    const list = read(parts.data);
    return Array.isArray(list) ? list.map((data) => encode({ ...parts, data })) : undefined;
  };
}

/** Encodes objects, and leaves other data as they are. */
export function createObjectEncoder(fields: ResultFields, params?: DialectParams): Encoder<unknown> {
  const encode = createFieldEncoder(fields, params);
  return (parts) => (isPlainObject(parts.data) ? encode(parts) : parts.data);
}

function createArgumentEncoder(name: string, params: DialectParams): Encoder<unknown> {
  const read = createReader(name);
  const param = params[name] ?? {};
  return ({ input }) => toDialectValue(read(input), param);
}

function inData(read: (data: unknown) => unknown): Encoder<unknown> {
  return ({ data }) => read(data);
}

function after(encode: Encoder<unknown>, change: (value: unknown) => unknown): Encoder<unknown> {
  return (parts) => change(encode(parts));
}

/** An object of which every field is missing is missing itself. */
function unlessEmpty(value: unknown): unknown {
  return isPlainObject(value) && Object.keys(value).length === 0 ? undefined : value;
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

/** Reads the value at a dotted path; the empty path is the value itself. */
function createReader(path: string): (data: unknown) => unknown {
  if (path === "") return (data) => data;
  const keys = path.split(".");
  const [only = ""] = keys;
  if (keys.length === 1)
    return (data) => (isPlainObject(data) && Object.hasOwn(data, only) ? data[only] : undefined);
  return (data) => {
    let current = data;
    for (const key of keys) {
      if (!isPlainObject(current) || !Object.hasOwn(current, key)) return undefined;
      current = current[key];
    }
    return current;
  };
}
