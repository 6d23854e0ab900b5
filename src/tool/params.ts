import type { Simplify } from "../shared/json-schema/infer.ts";
import type { JsonSchema } from "../shared/json-schema/json-schema.ts";
import { SchemaError } from "../shared/json-schema/json-schema.ts";

/**
 * One parameter in the shorthand of `params`: required unless `required: false` or a `default` says otherwise.
 * JSON Schema keywords such as `minimum`, `pattern` or `maxItems` may stand beside these and are kept.
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
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const [name, definition] of Object.entries(params)) {
    properties[name] = paramToJsonSchema(definition, `${path}.${name}`);
    if (definition.required !== false && definition.default === undefined) required.push(name);
  }
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

function paramToJsonSchema(definition: ParamDefinition, path: string): JsonSchema {
  if (typeof definition !== "object" || definition === null || typeof definition.type !== "string") {
    throw new SchemaError(`${path} needs a type, such as { type: "string" }`);
  }
  const { required: _required, items, properties, ...keywords } = definition;
  if (definition.type === "object" && properties !== undefined) {
    return { ...keywords, ...paramsToJsonSchema(properties, `${path}.properties`) };
  }
  if (definition.type === "array" && items !== undefined) {
    return { ...keywords, items: paramToJsonSchema(items, `${path}.items`) };
  }
  return keywords as JsonSchema;
}

export type InferParams<Params> = Simplify<
  {
    -readonly [Name in keyof Params as IsOptional<Params[Name]> extends true ? never : Name]: InferParam<
      Params[Name]
    >;
  } & {
    -readonly [Name in keyof Params as IsOptional<Params[Name]> extends true ? Name : never]?: InferParam<
      Params[Name]
    >;
  }
>;

// A default is applied before the tool runs, so a parameter that has one is always there.
type IsOptional<Param> = Param extends { readonly default: unknown }
  ? false
  : Param extends { readonly required: false }
    ? true
    : false;

type InferParam<Param> = Param extends { readonly enum: readonly (infer Member)[] }
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
