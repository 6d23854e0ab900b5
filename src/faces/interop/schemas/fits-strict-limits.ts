import { isPlainObject } from "../../../shared/json.ts";

/** Whether a schema is small enough for OpenAI's strict mode; one that is too large fails the whole request. */
export function fitsStrictLimits(schema: unknown): boolean {
  const size: Size = { properties: 0, choices: 0, characters: 0, depth: 0 };
  addSize(schema, size, 0);
  return size.properties <= 5000 && size.choices <= 1000 && size.characters <= 120_000 && size.depth <= 10;
}

interface Size {
  properties: number;
  choices: number;
  /** In the names of properties and definitions, and in choices. */
  characters: number;
  /** Objects within objects. */
  depth: number;
}

function addSize(schema: unknown, size: Size, depth: number): void {
  if (!isPlainObject(schema)) return;
  const { properties, $defs, items, anyOf, enum: choices, const: constant } = schema;
  const inner = isPlainObject(properties) ? depth + 1 : depth;
  size.depth = Math.max(size.depth, inner);
  const values = [...(Array.isArray(choices) ? choices : []), ...(constant === undefined ? [] : [constant])];
  size.choices += values.length;
  for (const value of values) size.characters += String(value).length;
  for (const [name, property] of Object.entries(isPlainObject(properties) ? properties : {})) {
    size.properties += 1;
    size.characters += name.length;
    addSize(property, size, inner);
  }
  for (const [name, definition] of Object.entries(isPlainObject($defs) ? $defs : {})) {
    size.characters += name.length;
    addSize(definition, size, 0);
  }
  addSize(items, size, inner);
  for (const form of Array.isArray(anyOf) ? anyOf : []) addSize(form, size, depth);
}
