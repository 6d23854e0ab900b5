import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";

type Properties = Readonly<Record<string, JsonSchema>>;

/** An object with all of `properties`, and perhaps some of `optional`. Later versions may add more. */
export function objectOf(properties: Properties, optional: Properties = {}): JsonSchema {
  return {
    type: "object",
    properties: { ...properties, ...optional },
    required: Object.keys(properties),
    additionalProperties: true,
  };
}

/** One of several objects. MCP wants the type at the top. */
export function eitherOf(...forms: readonly JsonSchema[]): JsonSchema {
  return { type: "object", anyOf: forms };
}

export function arrayOf(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

export const aText: JsonSchema = { type: "string" };
export const texts: JsonSchema = arrayOf(aText);
export const aCount: JsonSchema = { type: "integer", minimum: 0 };
export const aFlag: JsonSchema = { type: "boolean" };
export const aTime: JsonSchema = { type: "string", description: "ISO 8601" };
export const sizeBytes: JsonSchema = { type: "integer", minimum: 0, description: "In bytes" };
