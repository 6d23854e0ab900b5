import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema, JsonType } from "../../shared/json-schema/json-schema.ts";
import { defined } from "../../shared/options/defined.ts";
import { mapValues } from "../../shared/options/option.ts";
import { toObjectRoot, valuesOf } from "./object-root.ts";

/**
 * Converts a schema for OpenAI's strict mode: every property is required, and optional ones may be null. Keywords that it
 * lacks are dropped, since the tool checks them itself. Undefined if the shape cannot be expressed or is too large.
 */
export function toStrictSchema(schema: JsonSchema): JsonSchema | undefined {
  try {
    const strict = strictSchema(toObjectRoot(schema));
    return fitsStrictLimits(strict) ? strict : undefined;
  } catch (error) {
    if (error instanceof NotStrict) return undefined;
    throw error;
  }
}

class NotStrict extends Error {}

function strictSchema(schema: unknown): JsonSchema {
  if (!isPlainObject(schema)) throw new NotStrict();
  if (shapeKeywords.some((keyword) => Object.hasOwn(schema, keyword))) throw new NotStrict();
  if (typeof schema.$ref === "string") return { $ref: schema.$ref };
  const kept = Object.fromEntries(keptKeywords.flatMap((key) => keep(schema, key)));
  const forms = schema.anyOf ?? schema.oneOf;
  const isTyped = kept.type !== undefined || kept.enum !== undefined || kept.const !== undefined;
  if (!isTyped && !Array.isArray(forms)) throw new NotStrict();
  return defined({
    ...kept,
    ...nameType(kept),
    ...describeDefault(schema),
    anyOf: Array.isArray(forms) ? forms.map(strictSchema) : undefined,
    ...(mayBe(schema, "object") ? strictObject(schema) : {}),
    items: mayBe(schema, "array") ? strictSchema(schema.items) : undefined,
    $defs: isPlainObject(schema.$defs) ? mapValues(schema.$defs, strictSchema) : undefined,
  });
}

/** Keywords that strict mode lacks and that cannot be dropped without changing a value's shape. */
const shapeKeywords = (
  "allOf not if patternProperties propertyNames dependentSchemas dependentRequired " +
  "prefixItems contains definitions"
).split(" ");

const keptKeywords = (
  "type description enum const pattern format minimum maximum exclusiveMinimum exclusiveMaximum " +
  "multipleOf minItems maxItems"
).split(" ");

const knownFormats: readonly unknown[] = "date-time time date duration email hostname ipv4 ipv6 uuid".split(
  " ",
);

function keep(schema: JsonSchema, keyword: string): [string, unknown][] {
  const argument = schema[keyword];
  const isUnknown =
    (keyword === "format" && !knownFormats.includes(argument)) ||
    (keyword === "pattern" && looksAround.test(String(argument)));
  return argument === undefined || isUnknown ? [] : [[keyword, argument]];
}

/** Lookahead and lookbehind, as in common patterns for e-mail addresses, which strict mode lacks. */
const looksAround = /\(\?(?:[=!]|<[=!])/;

/** Strict mode requires a type even if the choices imply it. */
function nameType(schema: JsonSchema): Pick<JsonSchema, "type"> {
  const choices = valuesOf(schema);
  if (schema.type !== undefined || choices === undefined) return {};
  const types = new Set(choices.map((choice) => (choice === null ? "null" : typeof choice)));
  if (types.has("object")) throw new NotStrict();
  const names = [...types] as JsonType[];
  return { type: names.length === 1 ? names[0]! : names };
}

function mayBe({ type }: JsonSchema, wanted: "object" | "array"): boolean {
  return type === wanted || (Array.isArray(type) && type.includes(wanted));
}

function strictObject(schema: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== false) throw new NotStrict();
  const required = new Set(schema.required);
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const strict = strictSchema(property);
    return [name, required.has(name) ? strict : orNull(strict)];
  });
  return {
    properties: Object.fromEntries(properties),
    required: properties.map(([name]) => name as string),
    additionalProperties: false,
  };
}

/** Strict mode has no defaults, but the model should know what null means. */
function describeDefault({ description, default: value }: JsonSchema): { description?: string } {
  if (value === undefined || value === null) return {};
  const note = `null means ${JSON.stringify(value)}`;
  return { description: description === undefined ? note : `${description} (${note})` };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type } = schema;
  if (Array.isArray(schema.anyOf)) {
    const takesNull = schema.anyOf.some((form) => isPlainObject(form) && form.type === "null");
    return takesNull ? schema : { ...schema, anyOf: [...schema.anyOf, { type: "null" }] };
  }
  if (type === undefined || schema.const !== undefined) return { anyOf: [schema, { type: "null" }] };
  const types = [type].flat();
  if (types.includes("null")) return schema;
  return {
    ...schema,
    type: [...types, "null"],
    ...defined({ enum: schema.enum && [...schema.enum, null] }),
  };
}

/** Whether a schema is small enough for OpenAI's strict mode; one that is too large fails the whole request. */
function fitsStrictLimits(schema: unknown): boolean {
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
