import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { resolvePointer } from "../../shared/json-schema/resolve-pointer.ts";
import { mapValues } from "../../shared/options/option.ts";
import { fitPropertyNames } from "../schemas/common-schema.ts";
import { toObjectRoot, valuesOf } from "../schemas/object-root.ts";

/** The subset of OpenAPI's schemas that Gemini accepts. */
export type GeminiSchema = { readonly [keyword: string]: unknown };

/**
 * Converts a schema to Gemini's subset: references inlined, one type each, constants as choices, unknown keywords
 * dropped. The result allows more than the tool does; the tool still checks its input when it is called.
 */
export function toGeminiSchema(schema: JsonSchema): GeminiSchema {
  const object = fitPropertyNames(toObjectRoot(schema));
  return convert(object, { root: schema, depth: 0, references: [], written: { count: 0 } });
}

interface Site {
  readonly root: JsonSchema;
  readonly depth: number;
  /** The references followed to get here. */
  readonly references: readonly string[];
  readonly written: { count: number };
}

// Gemini supports no references, so a recursive schema has to end somewhere.
const maxSameReference = 2;
const maxDepth = 40;
// Nested references can double the size with every step.
const maxWritten = 5000;

function convert(schema: unknown, site: Site): GeminiSchema {
  const { depth, written } = site;
  if (!isPlainObject(schema) || depth > maxDepth || ++written.count > maxWritten) return anything;
  if (typeof schema.$ref === "string") return convertReference(schema, schema.$ref, site);
  const inner = (value: unknown) => convert(value, { ...site, depth: depth + 1 });
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...rest } = schema;
    return inner([rest, ...schema.allOf.map((form) => resolve(form, site.root))].reduce(mergeForms));
  }
  const forms = schema.anyOf ?? schema.oneOf;
  return Array.isArray(forms) ? convertChoice(schema, forms, inner) : convertTyped(schema, inner);
}

function convertReference({ $ref, ...rest }: JsonSchema, reference: string, site: Site): GeminiSchema {
  const timesHere = site.references.filter((each) => each === reference).length;
  const target = resolvePointer(site.root, reference);
  if (!isPlainObject(target) || timesHere >= maxSameReference) return { ...anything, ...carry(rest, texts) };
  return convert({ ...target, ...rest }, { ...site, references: [...site.references, reference] });
}

const anything: GeminiSchema = {
  anyOf: ["STRING", "NUMBER", "BOOLEAN", "OBJECT"].map((type) => ({ type })),
};

const texts = ["title", "description"];

type Convert = (schema: unknown) => GeminiSchema;

function resolve(form: unknown, root: JsonSchema): JsonSchema {
  const target =
    isPlainObject(form) && typeof form.$ref === "string" ? resolvePointer(root, form.$ref) : form;
  return isPlainObject(target) ? target : {};
}

function mergeForms(left: JsonSchema, right: JsonSchema): JsonSchema {
  const merged = { ...left, ...right };
  if (left.properties === undefined || right.properties === undefined) return merged;
  const properties = { ...left.properties, ...right.properties };
  const required = [left.required, right.required].flatMap((names) => names ?? []);
  return { ...merged, properties, required };
}

/** For Gemini, null is not a separate form but a flag on the others. */
function convertChoice(schema: JsonSchema, forms: readonly unknown[], inner: Convert): GeminiSchema {
  const { anyOf, oneOf, ...rest } = schema;
  const values = forms.filter((form) => !(isPlainObject(form) && form.type === "null"));
  const marks = { ...carry(schema, texts), ...(values.length < forms.length && { nullable: true }) };
  if (values.length === 0) return { ...anything, ...marks };
  const converted = values.map((form) =>
    inner(isPlainObject(form) ? mergeForms(withoutTexts(rest), form) : form),
  );
  return converted.length === 1 ? { ...converted[0], ...marks } : { anyOf: converted, ...marks };
}

function withoutTexts({ title, description, default: _default, ...rest }: JsonSchema): JsonSchema {
  return rest;
}

function convertTyped(schema: JsonSchema, inner: Convert): GeminiSchema {
  const types = typesOf(schema);
  const values = types.filter((type) => type !== "null");
  const isNullable = values.length < types.length;
  if (values.length > 1) {
    return {
      ...carry(schema, texts),
      ...(isNullable && { nullable: true }),
      anyOf: values.map((type) => convertTyped({ ...withoutTexts(schema), type } as JsonSchema, inner)),
    };
  }
  const [type] = values;
  if (type === undefined)
    return { ...anything, ...carry(schema, texts), ...(isNullable && { nullable: true }) };
  return {
    type: type.toUpperCase(),
    ...carry(schema, ["title"]),
    ...carry(schema, keptKeywords[type] ?? []),
    ...describe(schema, type),
    ...(isNullable && { nullable: true }),
    ...partsOf(schema, type, inner),
  };
}

/** The keywords that only one type has. */
function partsOf(schema: JsonSchema, type: string, inner: Convert): GeminiSchema {
  if (type === "string")
    return { ...enumOf(schema), ...(schema.format === "date-time" && { format: schema.format }) };
  if (type === "array") return { items: convertItems(schema, inner) };
  return type === "object" ? convertProperties(schema, inner) : {};
}

function typesOf(schema: JsonSchema): readonly string[] {
  if (schema.type !== undefined) return [schema.type].flat();
  if (schema.properties !== undefined) return ["object"];
  return [...new Set(valuesOf(schema)?.map(kindOf))];
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

const keptKeywords: Readonly<Record<string, readonly string[]>> = {
  string: ["minLength", "maxLength", "pattern", "default"],
  number: ["minimum", "maximum", "default"],
  integer: ["minimum", "maximum", "default"],
  boolean: ["default"],
  array: ["minItems", "maxItems"],
  object: ["minProperties", "maxProperties"],
};

function carry(schema: JsonSchema, keywords: readonly string[]): GeminiSchema {
  return Object.fromEntries(
    keywords.flatMap((keyword) => (schema[keyword] === undefined ? [] : [[keyword, schema[keyword]]])),
  );
}

/** Gemini supports only choices of strings; others go into the description. */
function describe(schema: JsonSchema, type: string): { description?: string } {
  const { description } = schema;
  const values = type === "string" ? undefined : valuesOf(schema);
  if (values === undefined) return description === undefined ? {} : { description };
  const note = `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`;
  return { description: description === undefined ? note : `${description} (${note})` };
}

function enumOf(schema: JsonSchema): { enum?: readonly string[] } {
  const values = valuesOf(schema)?.filter((value) => typeof value === "string" && value !== "");
  return values === undefined || values.length === 0 ? {} : { enum: values as string[] };
}

function convertProperties({ properties = {}, required = [] }: JsonSchema, inner: Convert): GeminiSchema {
  if (Object.keys(properties).length === 0) return {};
  const kept = required.filter((name) => Object.hasOwn(properties, name));
  return {
    properties: mapValues(properties, inner),
    ...(kept.length > 0 && { required: [...new Set(kept)] }),
  };
}

function convertItems({ items, prefixItems }: JsonSchema, inner: Convert): GeminiSchema {
  if (!Array.isArray(prefixItems) || prefixItems.length === 0) return inner(items);
  return inner({ anyOf: prefixItems });
}
