import { isPlainObject } from "../shared/json.ts";
import type { JsonSchema } from "../shared/json-schema/json-schema.ts";
import { resolvePointer } from "../shared/json-schema/resolve-pointer.ts";

/** Says `type: "object"` at the top where only the forms of a union or intersection say it, as model vendors ask. */
export function withObjectType(schema: JsonSchema): JsonSchema {
  if (schema.type !== undefined || !describesObject(schema, schema)) return schema;
  return { type: "object", ...schema };
}

function describesObject(schema: unknown, root: JsonSchema, depth = 0): boolean {
  if (!isPlainObject(schema) || depth > maxDepth) return false;
  if (schema.type !== undefined) return schema.type === "object";
  const isObject = (form: unknown) => describesObject(form, root, depth + 1);
  if (typeof schema.$ref === "string" && isObject(resolvePointer(root, schema.$ref))) return true;
  if (Array.isArray(schema.allOf) && schema.allOf.some(isObject)) return true;
  return [schema.anyOf, schema.oneOf].some((forms) => Array.isArray(forms) && forms.every(isObject));
}

// Only a reference that leads back to itself goes this deep.
const maxDepth = 20;
