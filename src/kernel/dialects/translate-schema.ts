import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { mapValues } from "../../shared/options/option.ts";
import type { DialectParam, DialectParams, DialectTool } from "./dialect.ts";
import { toDialectValue } from "./dialect-value.ts";

type Property = JsonSchema | boolean;

/** A tool's input schema with the dialect's parameter names and units, and with the parameters of the dialect alone. */
export function translateSchema(
  schema: JsonSchema,
  { params = {}, ownParams = {} }: Pick<DialectTool, "params" | "ownParams"> = {},
): JsonSchema {
  const { properties = {}, required = [], ...rest } = translateObject(schema, params);
  const own = Object.entries(ownParams);
  const ownRequired = own.filter(([, { isRequired }]) => isRequired).map(([name]) => name);
  const ownProperties = mapValues(ownParams, (param) => param.schema);
  const shown = { ...rest, properties: { ...properties, ...ownProperties } };
  return withRequired(shown, [...required, ...ownRequired]);
}

/** The schema with a list of required properties, which is left out if it is empty. */
export function withRequired(schema: JsonSchema, required: readonly string[]): JsonSchema {
  return required.length > 0 ? { ...schema, required } : schema;
}

function translateObject(schema: JsonSchema, params: DialectParams): JsonSchema {
  const canonicalRequired = new Set(schema.required);
  const properties: [string, Property][] = [];
  const required: string[] = [];
  for (const [canonicalName, property] of Object.entries(schema.properties ?? {})) {
    const param = params[canonicalName];
    if (param === null || param?.fixed !== undefined) continue;
    const name = param?.name ?? canonicalName;
    properties.push([name, param === undefined ? property : translateProperty(property, param)]);
    if (isRequired(param, canonicalRequired.has(canonicalName))) required.push(name);
  }
  const { required: _required, ...rest } = schema;
  return withRequired({ ...rest, properties: Object.fromEntries(properties) }, required);
}

function translateProperty(property: Property, param: DialectParam): Property {
  if (!isPlainObject(property)) return property;
  const translated: Record<string, unknown> = { ...property };
  for (const keyword of numberKeywords) {
    if (property[keyword] !== undefined) translated[keyword] = toDialectValue(property[keyword], param);
  }
  for (const keyword of listKeywords) {
    const values = property[keyword];
    if (Array.isArray(values)) translated[keyword] = values.map((value) => toDialectValue(value, param));
  }
  if (property.type === "integer") roundBounds(translated);
  if (param.items !== undefined && isPlainObject(property.items))
    translated.items = translateObject(property.items, param.items);
  if (param.description !== undefined) translated.description = param.description;
  if (param.default === null) delete translated.default;
  else if (param.default !== undefined) translated.default = param.default;
  return translated;
}

const numberKeywords = ["default", "const", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const listKeywords = ["enum", "examples"];

/** In whole seconds, a minimum of 1 ms is 1, not 0.001: a caller could not send that bound. */
function roundBounds(property: Record<string, unknown>): void {
  if (typeof property.minimum === "number") property.minimum = Math.ceil(property.minimum);
  if (typeof property.maximum === "number") property.maximum = Math.floor(property.maximum);
}

function isRequired(param: DialectParam | undefined, isCanonicallyRequired: boolean): boolean {
  if (param?.default === undefined) return isCanonicallyRequired;
  return param.default === null;
}
