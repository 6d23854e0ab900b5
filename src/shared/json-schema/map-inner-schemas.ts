import { isPlainObject } from "../json.ts";
import type { JsonSchema } from "./json-schema.ts";

/**
 * What an inner schema is for: a `value` inside the value, another `form` of the same value, a
 * `definition` to refer to, or a `question` whose answer decides something else.
 */
export type InnerRole = "value" | "form" | "definition" | "question";

/** A copy in which every schema directly inside was replaced; other values are left as they are. */
export function mapInnerSchemas(
  schema: JsonSchema,
  replace: (inner: JsonSchema, role: InnerRole, pointer: string) => JsonSchema,
): Record<string, unknown> {
  const mapped: Record<string, unknown> = { ...schema };
  // Its own keywords are few, and there are many that it might have had.
  for (const keyword of Object.keys(schema)) {
    const keyed = innerSchemaKeywords.get(keyword);
    if (keyed === undefined) continue;
    const { role, shape } = keyed;
    const replaceAt = (inner: unknown, pointer: string) =>
      isPlainObject(inner) ? replace(inner, role, pointer) : inner;
    mapped[keyword] = mapArgument(schema[keyword], { shape, keyword, replaceAt });
  }
  return mapped;
}

type ReplaceAt = (inner: unknown, pointer: string) => unknown;

interface Inner {
  readonly role: InnerRole;
  readonly shape: "one" | "list" | "map";
}

function mapArgument(
  argument: unknown,
  { shape, keyword, replaceAt }: Pick<Inner, "shape"> & { keyword: string; replaceAt: ReplaceAt },
): unknown {
  if (shape === "one") return replaceAt(argument, keyword);
  if (shape === "list" && Array.isArray(argument)) {
    return argument.map((inner, index) => replaceAt(inner, `${keyword}/${index}`));
  }
  if (shape === "map" && isPlainObject(argument)) {
    const entries = Object.entries(argument);
    return Object.fromEntries(entries.map(([name, inner]) => [name, replaceAt(inner, `${keyword}/${name}`)]));
  }
  return argument;
}

const innerSchemaKeywords: ReadonlyMap<string, Inner> = new Map([
  ["properties", { role: "value", shape: "map" }],
  ["patternProperties", { role: "value", shape: "map" }],
  ["additionalProperties", { role: "value", shape: "one" }],
  ["items", { role: "value", shape: "one" }],
  ["prefixItems", { role: "value", shape: "list" }],
  ["allOf", { role: "form", shape: "list" }],
  ["anyOf", { role: "form", shape: "list" }],
  ["oneOf", { role: "form", shape: "list" }],
  ["dependentSchemas", { role: "form", shape: "map" }],
  ["then", { role: "form", shape: "one" }],
  ["else", { role: "form", shape: "one" }],
  ["$defs", { role: "definition", shape: "map" }],
  ["definitions", { role: "definition", shape: "map" }],
  ["if", { role: "question", shape: "one" }],
  ["not", { role: "question", shape: "one" }],
  ["contains", { role: "question", shape: "one" }],
  ["propertyNames", { role: "question", shape: "one" }],
]);
