import { expect, test } from "vitest";
import { z } from "zod";
import { toStrictSchema } from "../../../src/formats/schemas/strict-schema.ts";
import { defineTool, type JsonSchema } from "../../../src/index.ts";
import { leaveOutNulls } from "../../../src/shared/json-schema/readings/convert-value.ts";
import { fc } from "../../support/fuzz.ts";

function schemaOf(input: Parameters<typeof defineTool>[0]["input"]): JsonSchema {
  return defineTool({ name: "x", description: "X.", input: input as never, run: () => "" }).inputSchema;
}

test("properties that may be left out may be null, at every depth, and values look the same otherwise", () => {
  const schema = schemaOf(
    z.object({
      path: z.string().min(1),
      mode: z.enum(["fast", "slow"]).default("fast").describe("How"),
      when: z.union([z.string(), z.number()]).optional(),
      edits: z.array(z.object({ line: z.int(), text: z.string().optional() })),
    }),
  );
  expect(toStrictSchema(schema)).toMatchObject({
    type: "object",
    properties: {
      path: { type: "string" },
      mode: {
        type: ["string", "null"],
        enum: ["fast", "slow", null],
        description: 'How (null means "fast")',
      },
      when: { type: ["string", "number", "null"] },
      edits: {
        type: "array",
        items: {
          properties: { text: { type: ["string", "null"] } },
          required: ["line", "text"],
          additionalProperties: false,
        },
      },
    },
    required: ["path", "mode", "when", "edits"],
    additionalProperties: false,
  });
});

test.each([
  [
    "names of its own",
    { type: "object", properties: { map: { type: "object", additionalProperties: true } } },
  ],
  ["patterns of names", { type: "object", patternProperties: { "^x": { type: "string" } } }],
  ["anything", { type: "object", properties: { any: {} } }],
  ["what it is not", { type: "object", properties: { a: { not: { type: "string" } } } }],
  ["a list of anything", { type: "object", properties: { list: { type: "array" } } }],
] satisfies [string, JsonSchema][])("a schema that allows %s cannot be strict", (_, schema) => {
  expect(toStrictSchema(schemaOf(schema))).toBeUndefined();
});

test("a recursive schema stays a reference", () => {
  const node = {
    type: "object",
    properties: { value: { type: "string" }, next: { $ref: "#/$defs/node" } },
    required: ["value"],
    additionalProperties: false,
  } as const;
  const schema = {
    type: "object",
    properties: { first: { $ref: "#/$defs/node" } },
    $defs: { node },
  } as const;
  expect(toStrictSchema(schemaOf(schema))).toMatchObject({
    properties: { first: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
    $defs: { node: { required: ["value", "next"] } },
  });
});

test("an input keeps everything but the nulls that mean nothing", () => {
  const schema = schemaOf({
    type: "object",
    properties: {
      needed: { type: "string" },
      left: { type: "string" },
      nullable: { type: ["string", "null"] },
      unsure: {},
      list: {
        type: "array",
        items: { type: "object", properties: { a: { type: "string" }, b: { type: "number" } } },
      },
    },
    required: ["needed"],
  });
  const input = {
    needed: null,
    left: null,
    nullable: null,
    unsure: null,
    other: null,
    list: [{ a: null, b: 1 }, null],
  };
  expect(leaveOutNulls(input, schema)).toEqual({
    needed: null,
    nullable: null,
    unsure: null,
    other: null,
    list: [{ b: 1 }, null],
  });
});

test("an input without nulls is the same after", () => {
  const schema = schemaOf({
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: true,
  });
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const input = JSON.parse(JSON.stringify(value));
      if (!JSON.stringify(value).includes("null")) expect(leaveOutNulls(input, schema)).toEqual(input);
    }),
  );
});

test("nulls are left out also behind references and in one of several forms", () => {
  const schema = {
    type: "object",
    properties: {
      first: { $ref: "#/$defs/node" },
      color: { enum: ["red", "blue"] },
      kind: { const: "x" },
      shape: {
        anyOf: [
          { type: "object", properties: { is: { const: "circle" }, radius: { type: "number" } } },
          { type: "object", properties: { is: { const: "line" }, radius: { type: ["number", "null"] } } },
        ],
      },
      maybe: { anyOf: [{ type: "string" }, { type: "null" }] },
      itself: { $ref: "#/properties/itself" },
    },
    $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
  } as const satisfies JsonSchema;
  const all = { first: null, color: null, kind: null, shape: null };
  expect(leaveOutNulls(all, schema)).toEqual({});
  expect(leaveOutNulls({ first: { next: { next: null } } }, schema)).toEqual({ first: { next: {} } });
  const circle = { shape: { is: "circle", radius: null } };
  expect(leaveOutNulls(circle, schema)).toEqual({ shape: { is: "circle" } });
  const kept = { shape: { is: "line", radius: null }, maybe: null, itself: null };
  expect(leaveOutNulls(kept, schema)).toEqual(kept);
});

test("where two forms may be meant, a null stays if one of them takes or requires it", () => {
  const form = { type: "object", properties: { size: { type: "number" } } };
  const input = { either: { size: null } };
  const leftOut = (other: JsonSchema) =>
    leaveOutNulls(input, { type: "object", properties: { either: { anyOf: [form, other] } } } as JsonSchema);
  expect(leftOut({ ...form } as JsonSchema)).toEqual({ either: {} });
  expect(leftOut({ type: "object", properties: { size: { type: "null" } } })).toEqual(input);
  expect(leftOut({ ...form, required: ["size"] } as JsonSchema)).toEqual(input);
});

test("a type that may be null already does not get null twice", () => {
  const maybe = { anyOf: [{ type: "string" }, { type: "null" }] };
  const schema = { type: "object", properties: { maybe }, additionalProperties: false } as JsonSchema;
  const strict = toStrictSchema(schema);
  expect(strict).toMatchObject({ properties: { maybe }, required: ["maybe"] });
});

test("choices have a type, and a pattern that looks around is left to the tool", () => {
  const schema = schemaOf(
    z.object({
      to: z.string().regex(/^(?!x).+$/),
      level: z.literal([1, 2]),
      mixed: z.literal(["a", 1, null]),
      plain: z.string().regex(/^a+$/),
    }),
  );
  const { properties } = toStrictSchema(schema) as { properties: Record<string, JsonSchema> };
  expect(properties.to).toEqual({ type: "string" });
  expect(properties.plain).toEqual({ type: "string", pattern: "^a+$" });
  expect(properties.level).toMatchObject({ type: "number", enum: [1, 2] });
  expect(properties.mixed).toMatchObject({ type: ["string", "number", "null"] });
});

test.each<[string, JsonSchema]>([
  [
    "properties",
    { properties: Object.fromEntries(numbered(5001).map((name) => [name, { type: "string" }])) },
  ],
  ["choices", { properties: { one: { type: "string", enum: numbered(1001) } } }],
  ["letters", { properties: { one: { type: "string", enum: ["x".repeat(120_001)] } } }],
  ["depth", nested(11)],
])("a schema with more %s than OpenAI allows is not strict, and one with as many is", (_what, schema) => {
  expect(toStrictSchema(schemaOf({ type: "object", ...schema }))).toBeUndefined();
  expect(toStrictSchema(schemaOf({ type: "object", ...nested(10) }))).toBeDefined();
});

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `p${index}`);
}

function nested(depth: number): JsonSchema {
  return { type: "object", properties: { inner: depth === 1 ? { type: "string" } : nested(depth - 1) } };
}
