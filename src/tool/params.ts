import { isPlainObject } from "../shared/json.ts";
import type { Simplify } from "../shared/json-schema/infer.ts";
import { type JsonSchema, SchemaError } from "../shared/json-schema/json-schema.ts";

/**
 * One parameter in the shorthand of `params`. Required, unless it has `required: false` or a `default`.
 * Other JSON Schema keywords, such as `minimum`, `pattern` or `maxItems`, are kept.
 */
export interface ParamDefinition {
  readonly type: "string" | "number" | "integer" | "boolean" | "array" | "object";
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean)[];
  readonly required?: boolean;
  readonly default?: unknown;
  readonly items?: ParamDefinition;
  readonly properties?: ParamDefinitions;
  readonly [keyword: string]: unknown;
}

export type ParamDefinitions = { readonly [name: string]: ParamDefinition };

export function paramsToJsonSchema(params: ParamDefinitions, path = "params"): JsonSchema {
  if (!isPlainObject(params))
    throw new SchemaError(`${path} must be an object with a parameter for each name`);
  const entries = Object.entries(params);
  const properties = Object.fromEntries(
    entries.map(([name, definition]) => [name, paramToJsonSchema(definition, `${path}.${name}`)]),
  );
  const required = entries.filter(([, definition]) => isRequired(definition)).map(([name]) => name);
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function paramToJsonSchema(definition: ParamDefinition, path: string): JsonSchema {
  refuseMisunderstanding(definition, path);
  const { required: _required, items, properties, ...keywords } = definition;
  // Keywords beside the shorthand, such as additionalProperties: true, win.
  if (properties !== undefined)
    return { ...paramsToJsonSchema(properties, `${path}.properties`), ...keywords };
  if (items !== undefined) return { ...keywords, items: paramToJsonSchema(items, `${path}.items`) };
  return keywords as JsonSchema;
}

function refuseMisunderstanding(definition: ParamDefinition, path: string): void {
  if (!isPlainObject(definition) || typeof definition.type !== "string") {
    throw new SchemaError(`${path} needs a type, such as { type: "string" }`);
  }
  const { type, required, items, properties } = definition;
  if (required !== undefined && typeof required !== "boolean") {
    throw new SchemaError(
      `${path}.required must be true or false; set required on each nested parameter instead of giving a list`,
    );
  }
  if (items !== undefined && type !== "array") throw new SchemaError(`${path}.items needs type "array"`);
  if (properties !== undefined && type !== "object") {
    throw new SchemaError(`${path}.properties needs type "object"`);
  }
}

function isRequired(definition: ParamDefinition): boolean {
  return definition.required !== false && definition.default === undefined;
}

export type InferParams<Params> = NamedValues<Params, { [Name in keyof Params]: InferParam<Params[Name]> }>;

export type InferParam<Param> = Param extends { readonly enum: readonly (infer Member)[] }
  ? Member
  : Param extends { readonly type: "string" }
    ? string
    : Param extends { readonly type: "number" | "integer" }
      ? number
      : Param extends { readonly type: "boolean" }
        ? boolean
        : Param extends { readonly type: "array" }
          ? Param extends { readonly items: infer Items }
            ? InferParam<Items>[]
            : unknown[]
          : Param extends { readonly type: "object" }
            ? Param extends { readonly properties: infer Properties }
              ? InferParams<Properties>
              : Record<string, unknown>
            : unknown;

/** The values for declared names; optional where a value may be left out and has no default. */
export type NamedValues<Declared, Values extends Record<keyof Declared, unknown>> = Simplify<
  {
    -readonly [Name in keyof Declared as IsOptional<Declared[Name]> extends true
      ? never
      : Name]: Values[Name];
  } & {
    -readonly [Name in keyof Declared as IsOptional<Declared[Name]> extends true
      ? Name
      : never]?: Values[Name];
  }
>;

export type IsOptional<Declaration> = Declaration extends { readonly default: unknown }
  ? false
  : Declaration extends { readonly required: false }
    ? true
    : false;
