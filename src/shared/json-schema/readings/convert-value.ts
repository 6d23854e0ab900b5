import { isPlainObject } from "../../json.ts";
import { cloneJson, NotJsonError } from "../clone-json.ts";
import { formatPath } from "../format-path.ts";
import { TooComplexError } from "../inspection.ts";
import type { JsonSchema } from "../json-schema.ts";
import { createInnerSchemas, type InnerSchemas } from "./inner-schemas.ts";
import { typeOf } from "./possible-types.ts";

/** One place where a value was read as another than the one given. */
export interface ValueConversion {
  /** Where in the value, as in `$.edits[0].replace_all`. */
  readonly path: string;
  readonly from: "string" | "null";
  /** The kind that the value was read as; `absent` means it was left out. */
  readonly to: "number" | "boolean" | "array" | "object" | "absent";
}

/**
 * Reads a value that does not fit its schema as it was probably meant: text as a number, `true`, `false`, a list or an
 * object, where the schema takes no text at all; and null as left out, where the schema takes no null. At each place
 * there is at most one such reading, which is listed in `conversions`; without any, the value is the one given. Whether
 * the result fits is for the caller to check.
 */
export function convertValue(value: unknown, schema: JsonSchema) {
  return convertWith(value, schema, { readsText: true });
}

/** Leaves out nulls only, for callers whose schema said that null means left out. */
export function leaveOutNulls(value: unknown, schema: JsonSchema): unknown {
  return convertWith(value, schema, { readsText: false }).value;
}

function convertWith(given: unknown, schema: JsonSchema, { readsText }: { readsText: boolean }) {
  const conversions: ValueConversion[] = [];
  const conversion: Conversion = { schemas: createInnerSchemas(schema), path: [], conversions, readsText };
  try {
    const value = convert(cloneJson(given), schema, conversion);
    if (conversions.length > 0) return { value, conversions };
  } catch (error) {
    // RangeError: the schema's references go in a circle.
    const isHopeless = [NotJsonError, TooComplexError, RangeError].some((kind) => error instanceof kind);
    if (!isHopeless) throw error;
  }
  return { value: given, conversions: [] };
}

interface Conversion {
  readonly schemas: InnerSchemas;
  readonly path: PropertyKey[];
  readonly conversions: ValueConversion[];
  readonly readsText: boolean;
}

function convert(value: unknown, schema: JsonSchema | boolean, conversion: Conversion): unknown {
  if (schema === true) return value;
  if (typeof value === "string") return convertText(value, schema, conversion);
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const inner = conversion.schemas.item(schema, index, value);
      return convertAt(index, conversion, () => convert(item, inner, conversion));
    });
  }
  if (typeof value !== "object" || value === null) return value;
  return convertObject(value as Record<string, unknown>, schema, conversion);
}

function convertText(text: string, schema: JsonSchema | boolean, conversion: Conversion): unknown {
  if (!conversion.readsText) return text;
  const types = conversion.schemas.typesOf(schema);
  if (types.has("string")) return text;
  const value = parseText(text);
  if (value === undefined || !types.has(typeOf(value))) return text;
  note(
    conversion,
    "string",
    Array.isArray(value) ? "array" : (typeof value as "number" | "boolean" | "object"),
  );
  return convert(value, schema, conversion);
}

function convertObject(
  object: Record<string, unknown>,
  schema: JsonSchema | boolean,
  conversion: Conversion,
): Record<string, unknown> {
  const { schemas } = conversion;
  const entries = Object.entries(object).flatMap(([name, value]): [string, unknown][] => {
    const property = schemas.property(schema, name, object);
    const isLeftOut =
      value === null &&
      property.isDeclared &&
      !property.isRequired &&
      property.schema !== false &&
      !schemas.typesOf(property.schema).has("null");
    return convertAt(name, conversion, () => {
      if (!isLeftOut) return [[name, convert(value, property.schema, conversion)]];
      note(conversion, "null", "absent");
      return [];
    });
  });
  return Object.fromEntries(entries);
}

function convertAt<Converted>(key: PropertyKey, { path }: Conversion, work: () => Converted): Converted {
  path.push(key);
  const converted = work();
  path.pop();
  return converted;
}

// All of them are recorded, and a caller that gets this many wrong has not read the schema.
const maxConversions = 100;

function note(
  { path, conversions }: Conversion,
  from: ValueConversion["from"],
  to: ValueConversion["to"],
): void {
  if (conversions.length === maxConversions) throw new TooComplexError("too many conversions");
  conversions.push({ path: formatPath(path), from, to });
}

/** Parses a text as JSON, if it can be read in only one way; null and text within text are not read. */
function parseText(text: string): unknown {
  if (text === "true" || text === "false") return text === "true";
  return readNumber(text) ?? readContainer(text);
}

/**
 * Plain decimals that a number holds exactly. A text with an exponent, a leading zero, a sign, a space, or
 * more digits than a number keeps may be a name or a code that merely looks like a number.
 */
function readNumber(text: string): number | undefined {
  if (text.length > maxDigits || !/^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  const shortest = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return String(value) === shortest ? value : undefined;
}

const maxDigits = 40;

function readContainer(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value = cloneJson(JSON.parse(text));
    // Which of two equal keys counts is a guess.
    return countKeys(value) === countWrittenKeys(text) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof NotJsonError) return undefined;
    throw error;
  }
}

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((total: number, item) => total + countKeys(item), 0);
  if (!isPlainObject(value)) return 0;
  return Object.values(value).reduce((total: number, inner) => total + 1 + countKeys(inner), 0);
}

/** In valid JSON, a colon follows a string only if the string is a key. */
function countWrittenKeys(json: string): number {
  let keys = 0;
  for (const [, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (colon !== undefined) keys++;
  return keys;
}
