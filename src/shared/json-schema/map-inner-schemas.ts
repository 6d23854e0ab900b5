import { isPlainObject } from "../json.ts";
import type { JsonSchema } from "./json-schema.ts";

/**
 * What an inner schema is for: a `value` inside the value, another `form` of the same value, a
 * `definition` to refer to, or a `question` whose answer decides something else.
 */
export type InnerRole = "value" | "form" | "definition" | "question";

/** A copy in which every schema directly inside was replaced; what is no schema is left as it is. */
export function mapInnerSchemas(
  schema: JsonSchema,
  replace: (inner: JsonSchema, role: InnerRole, pointer: string) => JsonSchema,
): Record<string, unknown> {
  const mapped: Record<string, unknown> = { ...schema };
  for (const [keyword, role, shape] of innerSchemaKeywords) {
    const argument = schema[keyword];
    const replaceIfSchema = (inner: unknown, pointer: string) =>
      isPlainObject(inner) ? replace(inner, role, pointer) : inner;
    if (shape === "one" && isPlainObject(argument)) mapped[keyword] = replace(argument, role, keyword);
    if (shape === "list" && Array.isArray(argument)) {
      mapped[keyword] = argument.map((inner, index) => replaceIfSchema(inner, `${keyword}/${index}`));
    }
    if (shape === "map" && isPlainObject(argument)) {
      mapped[keyword] = Object.fromEntries(
        Object.entries(argument).map(([name, inner]) => [name, replaceIfSchema(inner, `${keyword}/${name}`)]),
      );
    }
  }
  return mapped;
}

const innerSchemaKeywords: readonly (readonly [keyword: string, InnerRole, "one" | "list" | "map"])[] = [
  ["properties", "value", "map"],
  ["patternProperties", "value", "map"],
  ["additionalProperties", "value", "one"],
  ["items", "value", "one"],
  ["prefixItems", "value", "list"],
  ["allOf", "form", "list"],
  ["anyOf", "form", "list"],
  ["oneOf", "form", "list"],
  ["dependentSchemas", "form", "map"],
  ["then", "form", "one"],
  ["else", "form", "one"],
  ["$defs", "definition", "map"],
  ["definitions", "definition", "map"],
  ["if", "question", "one"],
  ["not", "question", "one"],
  ["contains", "question", "one"],
  ["propertyNames", "question", "one"],
];
