import { canonicalJson, isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { resolvePointer } from "../../shared/json-schema/resolve-pointer.ts";

/**
 * Turns a schema into one object with named properties, for vendors that refuse a choice or a reference at the top. The
 * result allows more than the tool does; the tool still checks its input when it is called.
 */
export function toObjectRoot(schema: JsonSchema): JsonSchema {
  if (!combiningKeywords.some((keyword) => Object.hasOwn(schema, keyword))) return schema;
  const { properties, required, isClosed } = flatten(schema, schema, 0);
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => !combiningKeywords.includes(keyword)),
  );
  return {
    ...rest,
    type: "object",
    properties: Object.fromEntries(properties),
    required: [...required],
    ...(isClosed && { additionalProperties: false }),
  };
}

const combiningKeywords = ["anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref"];

type Property = JsonSchema | boolean;

interface FlatObject {
  readonly properties: Map<string, Property>;
  readonly required: Set<string>;
  readonly isClosed: boolean;
}

function flatten(schema: unknown, root: JsonSchema, depth: number): FlatObject {
  const flat: FlatObject = { properties: new Map(), required: new Set(), isClosed: false };
  // Only a circular reference goes this deep.
  if (!isPlainObject(schema) || depth > 20) return flat;
  const own: FlatObject = {
    properties: new Map(
      isPlainObject(schema.properties) ? (Object.entries(schema.properties) as [string, Property][]) : [],
    ),
    required: new Set(Array.isArray(schema.required) ? (schema.required as string[]) : []),
    isClosed: schema.additionalProperties === false,
  };
  const inner = (form: unknown) => flatten(form, root, depth + 1);
  const target = typeof schema.$ref === "string" ? [inner(resolvePointer(root, schema.$ref))] : [];
  const all = [own, ...target, ...listOf(schema.allOf).map(inner)];
  const choices = [schema.anyOf, schema.oneOf].map((forms) => listOf(forms).map(inner));
  return [...all, ...choices.filter((forms) => forms.length > 0).map(joinChoices)].reduce(joinBoth);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Joins alternative forms: properties of any form, required only if all forms require them. */
function joinChoices(forms: readonly FlatObject[]): FlatObject {
  return {
    properties: forms.map(({ properties }) => properties).reduce(joinProperties),
    required: forms.map(({ required }) => required).reduce(intersect),
    isClosed: forms.every(({ isClosed }) => isClosed),
  };
}

function intersect(left: ReadonlySet<string>, right: ReadonlySet<string>): Set<string> {
  return new Set([...left].filter((name) => right.has(name)));
}

function joinBoth(left: FlatObject, right: FlatObject): FlatObject {
  return {
    properties: joinProperties(left.properties, right.properties),
    required: new Set([...left.required, ...right.required]),
    isClosed: left.isClosed || right.isClosed,
  };
}

function joinProperties(
  left: ReadonlyMap<string, Property>,
  right: ReadonlyMap<string, Property>,
): Map<string, Property> {
  const joined = new Map(left);
  for (const [name, property] of right) {
    const known = joined.get(name);
    joined.set(name, known === undefined ? property : joinProperty(known, property));
  }
  return joined;
}

function joinProperty(left: Property, right: Property): Property {
  if (typeof left === "boolean") return right;
  if (typeof right === "boolean" || canonicalJson(left) === canonicalJson(right)) return left;
  const values = [valuesOf(left), valuesOf(right)];
  if (values[0] !== undefined && values[1] !== undefined && left.type === right.type) {
    const { const: _constant, ...rest } = left;
    return { ...rest, enum: [...new Set([...values[0], ...values[1]])] };
  }
  return { anyOf: [...formsOf(left), right] };
}

/** The values that a schema is limited to, such as a discriminator's. */
export function valuesOf(property: JsonSchema): readonly unknown[] | undefined {
  return Object.hasOwn(property, "const") ? [property.const] : property.enum;
}

function formsOf(property: JsonSchema): readonly unknown[] {
  const isChoice = Array.isArray(property.anyOf) && Object.keys(property).length === 1;
  return isChoice ? (property.anyOf as unknown[]) : [property];
}
