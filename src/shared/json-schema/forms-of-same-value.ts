import { isPlainObject } from "../json.ts";
import type { JsonSchema } from "./json-schema.ts";
import { resolvePointer } from "./resolve-pointer.ts";

/** The schemas that a schema applies to the same value as itself, and that say what the value holds. */
export function formsOfSameValue(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const forms: unknown[] = [];
  for (const keyword of Object.keys(schema)) {
    const argument = schema[keyword];
    if (lists.has(keyword) && Array.isArray(argument)) forms.push(...argument);
    else if (single.has(keyword)) forms.push(argument);
    else if (keyword === "dependentSchemas" && isPlainObject(argument))
      forms.push(...Object.values(argument));
    else if (keyword === "$ref" && typeof argument === "string") forms.push(resolvePointer(root, argument));
  }
  return forms.length === 0 ? [] : forms.filter(isPlainObject);
}

const lists = new Set(["allOf", "anyOf", "oneOf"]);
const single = new Set(["if", "then", "else"]);
