import { isPlainObject } from "../json.ts";
import type { JsonSchema } from "./json-schema.ts";
import { mapInnerSchemas } from "./map-inner-schemas.ts";

/** The target of a local `$ref` such as `#/$defs/Point`; undefined if it has none, or is not local. */
export function resolvePointer(root: JsonSchema, reference: string): unknown {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let current: unknown = root;
  for (const token of decodeFragment(reference.slice(2)).split("/")) {
    const key = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray % stands for itself.
    return fragment;
  }
}

/** The schemas that a schema applies to the same value as itself, and that describe its parts. */
export function formsOfSameValue(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const forms: unknown[] = typeof schema.$ref === "string" ? [resolvePointer(root, schema.$ref)] : [];
  mapInnerSchemas(schema, (inner, role, pointer) => {
    if (role === "form" || pointer === "if") forms.push(inner);
    return inner;
  });
  return forms.filter(isPlainObject);
}
