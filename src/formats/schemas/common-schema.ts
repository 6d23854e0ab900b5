import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { mapInnerSchemas } from "../../shared/json-schema/map-inner-schemas.ts";
import { defined } from "../../shared/options/defined.ts";
import { toObjectRoot } from "./object-root.ts";

/**
 * A schema that every vendor accepts, with the same meaning. What some vendors refuse is rewritten; what some merely
 * ignore stays.
 */
export function toCommonSchema(schema: JsonSchema): JsonSchema {
  const root = rewrite(toObjectRoot(schema));
  return fitPropertyNames(root.properties === undefined ? { ...root, properties: {} } : root);
}

function rewrite(schema: JsonSchema): JsonSchema {
  const rewritten: JsonSchema = mapInnerSchemas(schema, rewrite);
  return withLoneReference(withItems(withNamedProperties(rewritten)));
}

/** Pydantic writes a description next to a reference, where Gemini allows nothing. */
function withLoneReference(schema: JsonSchema): JsonSchema {
  const { $ref, ...beside } = schema;
  const isAlone = Object.keys(beside).every((keyword) => keyword.startsWith("$"));
  if (typeof $ref !== "string" || isAlone || beside.anyOf !== undefined) return schema;
  return { ...beside, anyOf: [{ $ref }] };
}

/** OpenAI and Gemini require `items` for every array. */
function withItems(schema: JsonSchema): JsonSchema {
  const { type, items, prefixItems, maxItems = Number.POSITIVE_INFINITY } = schema;
  if (![type].flat().includes("array") || isPlainObject(items)) return schema;
  if (items !== false) return { ...schema, items: {} };
  const length = Array.isArray(prefixItems) ? prefixItems.length : 0;
  return { ...schema, items: {}, maxItems: Math.min(length, Number(maxItems)) };
}

/** Vendors need a schema for every property, so `true` and properties that are only listed as required get one. */
function withNamedProperties(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [], additionalProperties } = schema;
  const named = Object.entries(properties).map(([name, inner]) => [name, inner === true ? {} : inner]);
  const unnamed = required.filter((name) => !Object.hasOwn(properties, name));
  if (unnamed.length === 0 && !Object.values(properties).includes(true)) return schema;
  const kind = isPlainObject(additionalProperties) ? additionalProperties : {};
  return {
    ...schema,
    properties: Object.fromEntries([...named, ...unnamed.map((name) => [name, kind])]),
  };
}

/**
 * Moves properties with unusual names, such as `$filter`, into the description, because some vendors refuse the whole
 * request for one. The tool still accepts them when the model sends them.
 */
export function fitPropertyNames(schema: JsonSchema): JsonSchema {
  const { properties = {}, required = [], additionalProperties, description } = schema;
  const odd = new Set(Object.keys(properties).filter((name) => !fit.test(name)));
  if (odd.size === 0) return schema;
  const needed = new Set(required);
  const described = [...odd].map((name) => {
    const need = needed.has(name) ? " (required)" : "";
    return `${JSON.stringify(name)}${need}: ${JSON.stringify(properties[name])}`;
  });
  const note = `Also accepts the ${odd.size === 1 ? "property" : "properties"} ${described.join(", ")}`;
  const isNamed = (name: string) => !odd.has(name);
  return {
    ...schema,
    description: description === undefined ? note : `${description}\n${note}`,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isNamed(name))),
    ...defined({
      required: schema.required?.filter(isNamed),
      // A closed object would exclude them.
      additionalProperties: additionalProperties === false ? true : undefined,
    }),
  };
}

/** Anthropic's rule, the strictest. */
const fit = /^[a-zA-Z0-9_.-]{1,64}$/;
