import { isPlainObject } from "../json.ts";
import type { JsonSchema } from "./json-schema.ts";
import { resolvePointer } from "./resolve-pointer.ts";

/** The schemas that a schema applies to the same value as itself, and that say what the value holds. */
export function formsOfSameValue(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const lists = [schema.allOf, schema.anyOf, schema.oneOf].filter(Array.isArray).flat() as unknown[];
  const dependent = isPlainObject(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : [];
  const target = typeof schema.$ref === "string" ? resolvePointer(root, schema.$ref) : undefined;
  return [...lists, ...dependent, schema.if, schema.then, schema.else, target].filter(isPlainObject);
}
