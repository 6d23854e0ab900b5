import { isPlainObject } from "../json.ts";
import { cloneJson, NotJsonError } from "./clone-json.ts";
import { type JsonSchema, SchemaError } from "./json-schema.ts";
import { type InnerRole, mapInnerSchemas } from "./map-inner-schemas.ts";
import { formsOfSameValue } from "./resolve-pointer.ts";

/**
 * The schema as we enforce it: objects that list their properties take no others unless they say so,
 * and a property with a default is never required.
 */
export function closeSchema(schema: JsonSchema): JsonSchema {
  const root = copySchema(schema);
  return closeValueSchema(root, { root, openForms: findOpenForms(root), at: "#" });
}

interface Site {
  readonly root: JsonSchema;
  readonly openForms: ReadonlySet<JsonSchema>;
  readonly at: string;
}

function copySchema(schema: unknown): JsonSchema {
  if (!isPlainObject(schema)) throw new SchemaError("a schema must be an object");
  try {
    return cloneJson(schema) as JsonSchema;
  } catch (error) {
    if (!(error instanceof NotJsonError)) throw error;
    throw new SchemaError(`the schema is not JSON: ${error.message}`, { cause: error });
  }
}

/** Closes a schema that describes a whole value: the root, a property, an item. */
function closeValueSchema(schema: JsonSchema, site: Site): JsonSchema {
  const kind = closingKindOf(schema);
  const closed = closeInnerSchemas(schema, { ...site, closesForms: kind === "choice" });
  const isClosedElsewhere =
    kind === "reference" && formsOfSameValue(schema, site.root).every((form) => !site.openForms.has(form));
  if (kind === "declares" || kind === "choice" || isClosedElsewhere) return closed;
  const known = collectKnownProperties(schema, site.root);
  if (known === undefined) return closed;
  const properties: Record<string, JsonSchema | boolean> = { ...closed.properties };
  for (const name of known) properties[name] ??= true;
  return { ...closed, properties, additionalProperties: false };
}

function closeInnerSchemas(schema: JsonSchema, site: Site & { closesForms: boolean }): JsonSchema {
  const closed = mapInnerSchemas(schema, (inner, role, pointer) => {
    const innerSite = { ...site, at: `${site.at}/${pointer}` };
    // Closing what an `if`, `not` or `contains` asks about would change the question.
    if (role === "question") return inner;
    const staysOpen =
      (role === "form" && !site.closesForms) || (role === "definition" && site.openForms.has(inner));
    return staysOpen
      ? closeInnerSchemas(inner, { ...innerSite, closesForms: false })
      : closeValueSchema(inner, innerSite);
  });
  if (schema.required !== undefined) {
    const required = requiredWithoutDefaults(schema, site.at);
    if (required.length > 0) closed.required = required;
    else delete closed.required;
  }
  return closed;
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

/** The property names of a schema and of all its forms; undefined when none lists any, or one takes others. */
function collectKnownProperties(schema: JsonSchema, root: JsonSchema): Set<string> | undefined {
  const known = new Set<string>();
  const forms = new Set([schema]);
  let listsProperties = false;
  // A set may grow while it is iterated: each form is visited once, even in a cycle.
  for (const form of forms) {
    if (form.additionalProperties !== undefined && form.additionalProperties !== false) return undefined;
    if (form.patternProperties !== undefined) return undefined;
    if (isPlainObject(form.properties)) {
      listsProperties = true;
      for (const name of Object.keys(form.properties)) known.add(name);
    }
    for (const inner of formsOfSameValue(form, root)) forms.add(inner);
  }
  return listsProperties ? known : undefined;
}

/**
 * Schemas that somewhere describe only a part of a value. Closed on their own they would refuse properties of the other
 * parts, so the combining schema is closed instead.
 */
function findOpenForms(root: JsonSchema): ReadonlySet<JsonSchema> {
  const openForms = new Set<JsonSchema>();
  const openUp = (schema: JsonSchema) => {
    const pending = formsOfSameValue(schema, root);
    for (let form = pending.pop(); form !== undefined; form = pending.pop()) {
      if (openForms.has(form)) continue;
      openForms.add(form);
      for (const inner of formsOfSameValue(form, root)) pending.push(inner);
    }
  };
  const visit = (schema: JsonSchema, role: InnerRole): JsonSchema => {
    const kind = closingKindOf(schema);
    const isWhole = role === "value" || role === "definition";
    if (role === "question" || (isWhole && (kind === "declares" || kind === "lists"))) openUp(schema);
    mapInnerSchemas(schema, (inner, innerRole) => visit(inner, roleInside(schema, { role, innerRole })));
    return schema;
  };
  visit(root, "value");
  return openForms;
}

/** Forms of a plain choice describe whole values too; schemas inside a `question` do not. */
function roleInside(
  schema: JsonSchema,
  { role, innerRole }: { role: InnerRole; innerRole: InnerRole },
): InnerRole {
  if (role === "question") return "question";
  if (innerRole !== "form" || role === "form") return innerRole;
  return closingKindOf(schema) === "choice" ? "value" : "form";
}

/**
 * How a schema of a whole value gets closed: it `declares` itself which keys it takes, it is a `choice`
 * between forms that are each closed, a `reference` to a schema closed elsewhere, or it `lists` its keys
 * itself and in its forms.
 */
type ClosingKind = "declares" | "choice" | "reference" | "lists";

function closingKindOf(schema: JsonSchema): ClosingKind {
  if (schema.additionalProperties !== undefined || schema.patternProperties !== undefined) return "declares";
  const [only, ...others] = Object.keys(schema).filter((keyword) => listingKeywords.has(keyword));
  if (only === undefined || others.length > 0) return "lists";
  if (only === "$ref") return "reference";
  const { allOf } = schema;
  const isSingle = only === "allOf" && Array.isArray(allOf) && allOf.length === 1;
  return only === "anyOf" || only === "oneOf" || isSingle ? "choice" : "lists";
}

const listingKeywords = new Set([
  "properties",
  "$ref",
  "allOf",
  "anyOf",
  "oneOf",
  "if",
  "then",
  "else",
  "dependentSchemas",
]);
