import { isPlainObject } from "../shared/json.ts";
import type { JsonSchema } from "../shared/json-schema/json-schema.ts";

/** Leaves out the arguments that are null where the tool lets them be left out and has no use for null. */
export function dropNulls(input: unknown, schema: JsonSchema | boolean | undefined): unknown {
  if (!isPlainObject(schema)) return input;
  if (Array.isArray(input)) return input.map((item) => dropNulls(item, schema.items));
  const { properties } = schema;
  if (!isPlainObject(input) || !isPlainObject(properties)) return input;
  const required = new Set(schema.required);
  const entries = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (value === null && isPlainObject(property) && !required.has(name) && !takesNull(property)) return [];
    return [[name, dropNulls(value, property)]];
  });
  return Object.fromEntries(entries);
}

/** Whether null may mean something; where that is not plain to see, it may. */
function takesNull({ type, enum: values }: JsonSchema): boolean {
  if (values !== undefined) return values.includes(null);
  return type === undefined || [type].flat().includes("null");
}
