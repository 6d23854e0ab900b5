import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { resolvePointer } from "../../shared/json-schema/resolve-pointer.ts";
import { defined } from "../../shared/options/defined.ts";
import type { DialectParams, ResultFields, ResultSource } from "./dialect.ts";
import { withRequired } from "./translate-schema.ts";

/** The input as the dialect shows it, which fields of a result may repeat. */
interface ShownInput {
  readonly inputSchema: JsonSchema;
  readonly params: DialectParams | undefined;
}

interface Place extends ShownInput {
  readonly schema: unknown;
  readonly root: JsonSchema;
}

interface FoundSchema {
  readonly schema: JsonSchema | boolean;
  readonly isRequired: boolean;
}

/** The schema of the data that `createFieldEncoder` makes for data matching `schema`. */
export function translateOutputSchema(
  schema: JsonSchema,
  fields: ResultFields,
  shown: ShownInput = { inputSchema: {}, params: undefined },
): JsonSchema {
  const { $defs, definitions } = schema;
  return {
    ...defined({ $defs, definitions }),
    ...translateObject(fields, { ...shown, schema, root: schema }),
  };
}

function translateObject(fields: ResultFields, place: Place): JsonSchema {
  const properties: [string, JsonSchema | boolean][] = [];
  const required: string[] = [];
  for (const [field, source] of Object.entries(fields)) {
    const found = schemaOf(source, place);
    properties.push([field, found.schema]);
    if (found.isRequired) required.push(field);
  }
  const schema: JsonSchema = { type: "object", properties: Object.fromEntries(properties) };
  return { ...withRequired(schema, required), additionalProperties: false };
}

function schemaOf(source: ResultSource, place: Place): FoundSchema {
  if (typeof source === "string") return findProperty(source, place);
  if ("value" in source) return { schema: { const: source.value }, isRequired: true };
  if ("input" in source) return argumentSchema(source.input, place);
  if ("lengthOf" in source || "linesOf" in source) {
    const { isRequired } = schemaOf("lengthOf" in source ? source.lengthOf : source.linesOf, place);
    return { schema: { type: "integer", minimum: 0 }, isRequired };
  }
  if ("entries" in source) return { schema: { type: "array" }, isRequired: true };
  if ("text" in source) return { schema: { type: "string" }, isRequired: true };
  if ("from" in source)
    return { schema: { type: "string" }, isRequired: findProperty(source.from, place).isRequired };
  if (!("list" in source)) {
    const schema = translateObject(source.fields, place);
    return { schema, isRequired: schema.required !== undefined };
  }
  const found = findProperty(source.list, place);
  const list = followReference(found.schema, place.root);
  const { items, ...rest }: JsonSchema = isPlainObject(list) ? list : {};
  const item = { ...place, schema: items };
  const translated =
    "item" in source ? schemaOf(source.item, item).schema : translateObject(source.fields, item);
  return { schema: { ...rest, type: "array", items: translated }, isRequired: found.isRequired };
}

/** An argument may be missing where it is neither required nor has a default. */
function argumentSchema(name: string, { inputSchema, params }: Place): FoundSchema {
  const shownName = params?.[name]?.name ?? name;
  const schema = inputSchema.properties?.[shownName] ?? true;
  const hasDefault = isPlainObject(schema) && schema.default !== undefined;
  return { schema, isRequired: hasDefault || (inputSchema.required?.includes(shownName) ?? false) };
}

/** A path that the schema does not mention may hold anything. */
function findProperty(path: string, place: Place): FoundSchema {
  return findSchema(path, place) ?? { schema: true, isRequired: false };
}

/** The schema at a dotted path, if the path is mentioned, or below something that may hold anything. */
export function findSchema(
  path: string,
  { schema, root }: Pick<Place, "schema" | "root">,
): FoundSchema | undefined {
  if (path === "") return { schema: isPlainObject(schema) ? schema : schema !== false, isRequired: true };
  let current: unknown = schema;
  let isRequired = true;
  for (const key of path.split(".")) {
    const resolved = followReference(current, root);
    if (mayBeAnything(resolved)) return { schema: true, isRequired: false };
    const forms = formsOf(resolved, root);
    const having = forms.filter(({ properties = {} }) => Object.hasOwn(properties, key));
    if (having.length === 0) return undefined;
    isRequired &&= forms.every(({ required = [] }) => required.includes(key));
    const found = new Map(
      having.map(({ properties = {} }) => [JSON.stringify(properties[key]), properties[key]]),
    );
    current = found.size === 1 ? [...found.values()][0] : { anyOf: [...found.values()] };
  }
  return { schema: isPlainObject(current) ? current : current !== false, isRequired };
}

/** The fields of an object, in all of its forms. */
export function fieldNames({ schema, root }: Pick<Place, "schema" | "root">): string[] {
  const forms = formsOf(followReference(schema, root), root);
  return [...new Set(forms.flatMap(({ properties = {} }) => Object.keys(properties)))];
}

function mayBeAnything(schema: unknown): boolean {
  return schema === true || (isPlainObject(schema) && Object.keys(schema).length === 0);
}

/** The schema of the entries of a list. */
export function itemSchema(list: unknown, root: JsonSchema): unknown {
  const resolved = followReference(list, root);
  return isPlainObject(resolved) ? resolved.items : true;
}

/** The forms that an object may have: one, or each of a choice. */
function formsOf(schema: unknown, root: JsonSchema): readonly JsonSchema[] {
  if (!isPlainObject(schema)) return [];
  const choice = schema.anyOf ?? schema.oneOf;
  if (!Array.isArray(choice)) return [schema];
  return choice.map((each) => followReference(each, root)).filter(isPlainObject);
}

function followReference(schema: unknown, root: JsonSchema): unknown {
  if (!isPlainObject(schema) || typeof schema.$ref !== "string") return schema;
  return resolvePointer(root, schema.$ref);
}
