import { isPlainObject } from "../../shared/json.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import { mapInnerSchemas } from "../../shared/json-schema/map-inner-schemas.ts";
import { defined } from "../../shared/options/defined.ts";

/**
 * A tool's output schema as MCP has it. Most versions of the protocol allow only an object, so any other value is
 * announced, and sent, as the `result` of one; in the newest version too, so that a tool has one form for all clients.
 */
export function toObjectSchema(schema: JsonSchema): JsonSchema {
  if (schema.type === "object") return schema;
  const { $schema, $id: _identifier, ...own } = schema;
  return {
    ...defined({ $schema }),
    type: "object",
    properties: { result: moveReferences(own, "#/properties/result") },
    required: ["result"],
  };
}

/** A result's data as `toObjectSchema` announces it. */
export function toStructuredContent(data: unknown, schema: JsonSchema | undefined): Record<string, unknown> {
  const isObject = schema === undefined || schema.type === "object";
  return isObject && isPlainObject(data) ? data : { result: data };
}

/** Moves a schema's references, so that the schema can stand at another place inside a larger one. */
export function moveReferences(schema: JsonSchema, to: string): JsonSchema {
  const moved = mapInnerSchemas(schema, (inner) => moveReferences(inner, to));
  const { $ref } = schema;
  const isLocal = typeof $ref === "string" && ($ref === "#" || $ref.startsWith("#/"));
  return isLocal ? { ...moved, $ref: `${to}${$ref.slice(1)}` } : moved;
}
