import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { resolvePointer } from "../../shared/json-schema/resolve-pointer.ts";

/** Removes null arguments that are optional and that the tool does not accept as null. */
export function dropNulls(input: unknown, schema: JsonSchema | boolean | undefined): unknown {
  return isPlainObject(schema) ? dropInside(input, schema, schema) : input;
}

function dropInside(input: unknown, given: unknown, root: JsonSchema): unknown {
  if (typeof input !== "object" || input === null) return input;
  const schema = findForm(input, given, root);
  if (schema === undefined) return input;
  if (Array.isArray(input)) return input.map((item) => dropInside(item, schema.items, root));
  const { properties } = schema;
  if (!isPlainObject(properties)) return input;
  const required = new Set(schema.required);
  const entries = Object.entries(input).flatMap(([name, value]): [string, unknown][] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const isNeeded = property === undefined || required.has(name) || takesNull(property, root);
    if (value === null && !isNeeded) return [];
    return [[name, dropInside(value, property, root)]];
  });
  return Object.fromEntries(entries);
}

/** The schema of a value; of several forms, the only one that fits, or undefined. */
function findForm(input: object, given: unknown, root: JsonSchema): JsonSchema | undefined {
  const schema = follow(given, root);
  const forms = schema?.anyOf ?? schema?.oneOf;
  if (!Array.isArray(forms)) return schema;
  const kind = Array.isArray(input) ? "array" : "object";
  const fitting = forms
    .map((form) => follow(form, root))
    .filter((form) => form !== undefined && [form.type].flat().includes(kind) && isMeant(input, form));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** Forms of an object differ in a property with a constant value. */
function isMeant(input: object, { properties = {} }: JsonSchema): boolean {
  return Object.entries(properties).every(([name, property]) => {
    if (!isPlainObject(property) || !Object.hasOwn(property, "const")) return true;
    return Object.hasOwn(input, name) && (input as Record<string, unknown>)[name] === property.const;
  });
}

// Only a circular reference goes this far.
const maxHops = 20;

function follow(schema: unknown, root: JsonSchema, hops = 0): JsonSchema | undefined {
  if (!isPlainObject(schema) || hops > maxHops) return undefined;
  if (typeof schema.$ref !== "string") return schema;
  return follow(resolvePointer(root, schema.$ref), root, hops + 1);
}

/** Whether null may be a valid value; true if that is unclear. */
function takesNull(property: unknown, root: JsonSchema): boolean {
  const schema = follow(property, root);
  if (schema === undefined) return true;
  if (Object.hasOwn(schema, "const")) return schema.const === null;
  if (schema.enum !== undefined) return schema.enum.includes(null);
  const forms = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(forms)) return forms.some((form) => takesNull(form, root));
  return schema.type === undefined || [schema.type].flat().includes("null");
}
