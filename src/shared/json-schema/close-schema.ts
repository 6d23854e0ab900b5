import { isPlainObject } from "../json.ts";
import { type JsonSchema, SchemaError } from "./json-schema.ts";
import { resolvePointer } from "./resolve-pointer.ts";

/**
 * The schema as we enforce it: objects that list their properties take no others unless they say so,
 * and a property with a default is never required.
 */
export function closeSchema(schema: JsonSchema): JsonSchema {
  if (!isPlainObject(schema)) throw new SchemaError("a schema must be an object");
  return closeValueSchema(schema, schema, "#");
}

/** Closes a schema that describes a whole value: the root, a property, an item. */
function closeValueSchema(schema: JsonSchema, root: JsonSchema, at: string): JsonSchema {
  const inner = closeInnerSchemas(schema, root, at);
  if (declaresOpenness(schema)) return inner;
  if (schema.properties !== undefined || schema.allOf !== undefined) {
    const known = collectKnownProperties(schema, root, new Set());
    if (known === "open") return inner;
    const properties: Record<string, JsonSchema | boolean> = { ...inner.properties };
    for (const name of known) properties[name] ??= true;
    return { ...inner, properties, additionalProperties: false };
  }
  // A plain choice between forms: each form is closed by itself.
  for (const choice of ["anyOf", "oneOf"] as const) {
    const branches = inner[choice];
    if (Array.isArray(branches)) {
      const closed = branches.map((branch, index) =>
        isPlainObject(branch) ? closeValueSchema(branch, root, `${at}/${choice}/${index}`) : branch,
      );
      return { ...inner, [choice]: closed };
    }
  }
  return inner;
}

/** Goes on into the schemas of properties and items, and into the forms that share this value. */
function closeInnerSchemas(schema: JsonSchema, root: JsonSchema, at: string): JsonSchema {
  const closed: Record<string, unknown> = { ...schema };
  for (const keyword of mapKeywords) {
    if (schema[keyword] === undefined) continue;
    closed[keyword] = mapSchemas(schema[keyword], `${at}/${keyword}`, (each, where) =>
      isSharedForm(root, where) ? closeInnerSchemas(each, root, where) : closeValueSchema(each, root, where),
    );
  }
  for (const keyword of ["items", "additionalProperties", "contains", "propertyNames"]) {
    const inner = schema[keyword];
    if (isPlainObject(inner)) closed[keyword] = closeValueSchema(inner, root, `${at}/${keyword}`);
  }
  if (Array.isArray(schema.prefixItems)) {
    closed.prefixItems = schema.prefixItems.map((each: unknown, index) =>
      isPlainObject(each) ? closeValueSchema(each, root, `${at}/prefixItems/${index}`) : each,
    );
  }
  for (const keyword of ["allOf", "anyOf", "oneOf"]) {
    const branches = schema[keyword];
    if (!Array.isArray(branches)) continue;
    closed[keyword] = branches.map((each: unknown, index) =>
      isPlainObject(each) ? closeInnerSchemas(each, root, `${at}/${keyword}/${index}`) : each,
    );
  }
  if (schema.required !== undefined) {
    const required = requiredWithoutDefaults(schema, at);
    if (required.length > 0) closed.required = required;
    else delete closed.required;
  }
  return closed;
}

/** A definition that an `allOf` combines with others describes only part of a value, so it can't be closed by itself. */
function isSharedForm(root: JsonSchema, at: string): boolean {
  if (!at.startsWith("#/$defs/") && !at.startsWith("#/definitions/")) return false;
  return JSON.stringify(root).includes("allOf") && refersFromAllOf(root, at);
}

function refersFromAllOf(node: unknown, reference: string): boolean {
  if (Array.isArray(node)) return node.some((each) => refersFromAllOf(each, reference));
  if (!isPlainObject(node)) return false;
  const forms = Array.isArray(node.allOf) ? node.allOf : [];
  if (forms.some((form) => isPlainObject(form) && form.$ref === reference)) return true;
  return Object.values(node).some((each) => refersFromAllOf(each, reference));
}

const mapKeywords = ["properties", "patternProperties", "$defs", "definitions"] as const;

function mapSchemas(
  schemas: unknown,
  at: string,
  close: (schema: JsonSchema, at: string) => JsonSchema,
): Record<string, unknown> {
  if (!isPlainObject(schemas)) throw new SchemaError(`${at} must be an object of schemas`);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, each]) => [
      name,
      isPlainObject(each) ? close(each, `${at}/${name}`) : each,
    ]),
  );
}

function requiredWithoutDefaults({ required, properties }: JsonSchema, at: string): string[] {
  if (!Array.isArray(required)) {
    throw new SchemaError(
      `${at}/required must be a list of names; inside \`input\` it belongs beside \`properties\``,
    );
  }
  return required.filter((name: string) => {
    const property = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    return !isPlainObject(property) || property.default === undefined;
  });
}

function declaresOpenness(schema: JsonSchema): boolean {
  return schema.additionalProperties !== undefined || schema.patternProperties !== undefined;
}

/** The property names of a schema and of all forms applied to the same value. */
function collectKnownProperties(
  schema: JsonSchema,
  root: JsonSchema,
  seen: Set<unknown>,
): Set<string> | "open" {
  const known = new Set(Object.keys(schema.properties ?? {}));
  for (const form of formsOfSameValue(schema, root)) {
    if (seen.has(form)) continue;
    seen.add(form);
    if (form.additionalProperties !== undefined && form.additionalProperties !== false) return "open";
    if (form.patternProperties !== undefined) return "open";
    const names = collectKnownProperties(form, root, seen);
    if (names === "open") return "open";
    for (const name of names) known.add(name);
  }
  return known;
}

function formsOfSameValue(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const lists = [schema.allOf, schema.anyOf, schema.oneOf].filter(Array.isArray).flat() as unknown[];
  const dependent = isPlainObject(schema.dependentSchemas) ? Object.values(schema.dependentSchemas) : [];
  const target = typeof schema.$ref === "string" ? resolvePointer(root, schema.$ref) : undefined;
  return [...lists, ...dependent, schema.if, schema.then, schema.else, target].filter(isPlainObject);
}
