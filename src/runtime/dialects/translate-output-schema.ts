import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { resolvePointer } from "../../shared/json-schema/resolve-pointer.ts";
import type { ResultFields } from "./dialect.ts";

/** The schema of the data that `encodeFields` returns for data matching `schema`. */
export function translateOutputSchema(schema: JsonSchema, fields: ResultFields): JsonSchema {
  const definitions = Object.entries(schema).filter(
    ([keyword]) => keyword === "$defs" || keyword === "definitions",
  );
  return { ...Object.fromEntries(definitions), ...translateObject(schema, fields, schema) };
}

function translateObject(schema: unknown, fields: ResultFields, root: JsonSchema): JsonSchema {
  const properties: [string, JsonSchema | boolean][] = [];
  const required: string[] = [];
  for (const [field, from] of Object.entries(fields)) {
    const path = typeof from === "string" ? from : from.list;
    const found = findProperty(schema, path, root);
    properties.push([
      field,
      typeof from === "string" ? found.schema : translateList(found.schema, from.fields, root),
    ]);
    if (found.isRequired) required.push(field);
  }
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function translateList(schema: unknown, fields: ResultFields, root: JsonSchema): JsonSchema {
  const list = followReference(schema, root);
  const { items, ...rest }: JsonSchema = isPlainObject(list) ? list : {};
  return { ...rest, type: "array", items: translateObject(items, fields, root) };
}

/** The schema at a dotted path; a path that it does not mention may hold anything. */
function findProperty(
  schema: unknown,
  path: string,
  root: JsonSchema,
): { schema: JsonSchema | boolean; isRequired: boolean } {
  let current: unknown = schema;
  let isRequired = true;
  for (const key of path.split(".")) {
    const object = followReference(current, root);
    const properties = isPlainObject(object) && isPlainObject(object.properties) ? object.properties : {};
    if (!isPlainObject(object) || !Object.hasOwn(properties, key)) return { schema: true, isRequired: false };
    isRequired &&= Array.isArray(object.required) && object.required.includes(key);
    current = properties[key];
  }
  return { schema: isPlainObject(current) ? current : current !== false, isRequired };
}

function followReference(schema: unknown, root: JsonSchema): unknown {
  if (!isPlainObject(schema) || typeof schema.$ref !== "string") return schema;
  return resolvePointer(root, schema.$ref);
}
