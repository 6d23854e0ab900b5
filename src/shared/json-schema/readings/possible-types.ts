import { isPlainObject } from "../../json.ts";
import type { JsonSchema, JsonType } from "../json-schema.ts";
import { typeNames } from "../schema-site.ts";

/** The types of the values that a schema may accept. `number` stands for numbers that are not whole. */
export type TypeSet = ReadonlySet<JsonType>;

export const allTypes: TypeSet = new Set(Object.keys(typeNames) as JsonType[]);
const noTypes: TypeSet = new Set();

/** Keywords that cannot be judged by the type alone count as accepting it: the set may be too large, never too small. */
export function possibleTypes(
  schema: JsonSchema | boolean,
  inner: { typesOf(schema: unknown): TypeSet; follow(schema: JsonSchema): unknown },
): TypeSet {
  if (schema === false) return noTypes;
  if (schema === true) return allTypes;
  const limits: TypeSet[] = [];
  if (schema.type !== undefined) limits.push(declaredTypes(schema.type));
  if (Array.isArray(schema.enum)) limits.push(new Set(schema.enum.map(typeOf)));
  if (Object.hasOwn(schema, "const")) limits.push(new Set([typeOf(schema.const)]));
  if (typeof schema.$ref === "string") limits.push(inner.typesOf(inner.follow(schema)));
  if (Array.isArray(schema.allOf)) limits.push(...schema.allOf.map(inner.typesOf));
  for (const forms of [schema.anyOf, schema.oneOf]) {
    if (Array.isArray(forms)) limits.push(new Set(forms.flatMap((form) => [...inner.typesOf(form)])));
  }
  return new Set([...allTypes].filter((type) => limits.every((limit) => limit.has(type))));
}

function declaredTypes(type: unknown): TypeSet {
  const types = new Set([type].flat() as JsonType[]);
  return types.has("number") ? types.add("integer") : types;
}

/** The type of a JSON value; a whole number is an `integer`. */
export function typeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (isPlainObject(value)) return "object";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as "string" | "boolean";
}
