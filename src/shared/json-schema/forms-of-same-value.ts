import { isPlainObject } from "../json.ts";
import type { JsonSchema } from "./json-schema.ts";
import { resolvePointer } from "./resolve-pointer.ts";

/** The schemas that a schema applies to the same value as itself, and that say what the value holds. */
export function formsOfSameValue(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  return Object.keys(schema)
    .flatMap((keyword) => formsUnder(keyword, schema[keyword], root))
    .filter(isPlainObject);
}

function formsUnder(keyword: string, argument: unknown, root: JsonSchema): readonly unknown[] {
  switch (keyword) {
    case "allOf":
    case "anyOf":
    case "oneOf":
      return Array.isArray(argument) ? argument : [];
    case "if":
    case "then":
    case "else":
      return [argument];
    case "dependentSchemas":
      return isPlainObject(argument) ? Object.values(argument) : [];
    case "$ref":
      return typeof argument === "string" ? [resolvePointer(root, argument)] : [];
    default:
      return [];
  }
}
