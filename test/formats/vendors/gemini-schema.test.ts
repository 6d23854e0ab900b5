import { expect, test } from "vitest";
import { type GeminiSchema, toGeminiSchema } from "../../../src/formats/vendors/gemini-schema.ts";
import type { JsonSchema } from "../../../src/index.ts";
import { fc } from "../../support/fuzz.ts";

function convertProperty(property: JsonSchema, more: JsonSchema = {}): unknown {
  const schema = toGeminiSchema({ type: "object", properties: { it: property }, ...more });
  return (schema.properties as Record<string, unknown>).it;
}

test.each<[JsonSchema, GeminiSchema]>([
  [
    { type: ["string", "null"], description: "A name" },
    { type: "STRING", description: "A name", nullable: true },
  ],
  [{ type: ["string", "number"] }, { anyOf: [{ type: "STRING" }, { type: "NUMBER" }] }],
  [{ const: "on" }, { type: "STRING", enum: ["on"] }],
  [{ enum: ["a", "b", null] }, { type: "STRING", enum: ["a", "b"], nullable: true }],
  [
    { type: "integer", enum: [1, 2] },
    { type: "INTEGER", description: "one of 1, 2" },
  ],
  [
    { const: 5, description: "The version" },
    { type: "NUMBER", description: "The version (one of 5)" },
  ],
  [
    { oneOf: [{ type: "string" }, { type: "null" }], description: "Or nothing" },
    { type: "STRING", nullable: true, description: "Or nothing" },
  ],
  [
    { anyOf: [{ type: "string" }, { type: "integer" }] },
    { anyOf: [{ type: "STRING" }, { type: "INTEGER" }] },
  ],
  [
    { type: "string", format: "uuid", pattern: "^a" },
    { type: "STRING", pattern: "^a" },
  ],
  [
    { type: "string", format: "date-time" },
    { type: "STRING", format: "date-time" },
  ],
  [
    { type: "number", exclusiveMinimum: 0, maximum: 9 },
    { type: "NUMBER", maximum: 9 },
  ],
  [
    { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    { type: "ARRAY", items: { anyOf: [{ type: "STRING" }, { type: "NUMBER" }] } },
  ],
  [
    { type: "object", additionalProperties: { type: "string" }, propertyNames: { pattern: "^a" } },
    { type: "OBJECT" },
  ],
  [
    {
      allOf: [
        { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
        { properties: { b: {} } },
      ],
    },
    {
      type: "OBJECT",
      properties: { a: { type: "STRING" }, b: expect.objectContaining({ anyOf: expect.any(Array) }) },
      required: ["a"],
    },
  ],
])("%j becomes what Gemini knows", (schema, expected) => {
  expect(convertProperty(schema)).toEqual(expected);
});

test("references are written out, and one that leads back to itself comes to an end", () => {
  const node = {
    type: "object",
    properties: { name: { type: "string" }, next: { $ref: "#/$defs/node" } },
  } as const;
  const text = JSON.stringify(
    convertProperty({ $ref: "#/$defs/node", description: "First" }, { $defs: { node } }),
  );
  expect(text).toMatch(/^\{"type":"OBJECT","description":"First","properties":\{"name":\{"type":"STRING"\}/);
  expect(text).not.toContain("$");
});

test("references that double with every step do not grow without end", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => {
      const next = { $ref: `#/$defs/d${index + 1}` };
      return [`d${index}`, { type: "object", properties: { left: next, right: next } }];
    }),
  );
  const text = JSON.stringify(convertProperty({ $ref: "#/$defs/d0" }, { $defs }));
  expect(text.length).toBeLessThan(5_000_000);
});

const known = new Set([
  ...[
    "type",
    "format",
    "title",
    "description",
    "nullable",
    "enum",
    "items",
    "properties",
    "required",
    "anyOf",
  ],
  ...[
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
    "minLength",
    "maxLength",
    "pattern",
    "default",
  ],
  ...["minimum", "maximum"],
]);

test("a schema for Gemini has only keywords that Gemini knows, each with a type or forms", () => {
  const type = fc.constantFrom("string", "number", "integer", "boolean", "array", "object", "null");
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.record(
        { type, const: fc.jsonValue(), format: fc.string(), $comment: fc.string() },
        { requiredKeys: [] },
      ),
      fc.record(
        {
          type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
          enum: fc.array(fc.jsonValue({ maxDepth: 0 })),
          properties: fc.dictionary(fc.string(), tie("schema"), { maxKeys: 2 }),
          required: fc.array(fc.string()),
          items: fc.oneof(tie("schema"), fc.boolean()),
          prefixItems: fc.array(tie("schema"), { maxLength: 2 }),
          anyOf: fc.array(tie("schema"), { maxLength: 2 }),
          oneOf: fc.array(tie("schema"), { maxLength: 2 }),
          allOf: fc.array(tie("schema"), { maxLength: 2 }),
          not: tie("schema"),
          additionalProperties: fc.oneof(tie("schema"), fc.boolean()),
          $ref: fc.constantFrom("#", "#/properties/a", "#/nowhere", "other.json"),
        },
        { requiredKeys: [] },
      ),
    ),
  }));
  fc.assert(
    fc.property(schema, (inner) => {
      checkGemini(toGeminiSchema({ type: "object", properties: { a: inner as JsonSchema } }));
    }),
    { numRuns: 200 },
  );
});

function checkGemini(schema: GeminiSchema): void {
  const strange = Object.keys(schema).filter((keyword) => !known.has(keyword));
  if (strange.length > 0) throw new Error(`${strange} in ${JSON.stringify(schema)}`);
  if (typeof schema.type !== "string" && !Array.isArray(schema.anyOf))
    throw new Error(JSON.stringify(schema));
  if (schema.type === "ARRAY" && schema.items === undefined) throw new Error(JSON.stringify(schema));
  if (schema.enum !== undefined && schema.type !== "STRING") throw new Error(JSON.stringify(schema));
  const inner = [...((schema.anyOf as GeminiSchema[]) ?? []), ...Object.values(schema.properties ?? {})];
  for (const each of [...inner, ...(schema.items === undefined ? [] : [schema.items])]) {
    checkGemini(each as GeminiSchema);
  }
}

test("a property with a name that is no name is told of in words", () => {
  const schema = {
    type: "object",
    properties: { $filter: { type: "string" }, top: { type: "integer" } },
  } as const;
  expect(toGeminiSchema(schema)).toEqual({
    type: "OBJECT",
    description: 'Also accepts the property "$filter": {"type":"string"}',
    properties: { top: { type: "INTEGER" } },
  });
});
