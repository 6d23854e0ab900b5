import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { closeSchema } from "../../../src/shared/json-schema/close-schema.ts";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../src/shared/json-schema/json-schema.ts";
import { fc } from "../../support/fuzz.ts";
import { arbitraryRoot, arbitraryValue } from "./arbitrary-schema.ts";

const text: JsonSchema = { type: "string" };
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: "object", properties });

function accepts(schema: JsonSchema, value: unknown): boolean {
  return compileSchema(closeSchema(schema))(value).ok;
}

describe("unknown keys are refused", () => {
  const condition = (then: JsonSchema): JsonSchema =>
    JSON.parse(`{
    "type": "object", "properties": { "kind": { "type": "string" } },
    "if": { "properties": { "kind": { "const": "a" } } }, "then": ${JSON.stringify(then)}, "else": { "required": ["kind"] }
  }`);
  const cases: [where: string, schema: JsonSchema, known: unknown, unknown: unknown][] = [
    ["at the top", object({ a: text }), { a: "x" }, { a: "x", b: 1 }],
    ["where nothing is listed", object({}), {}, { b: 1 }],
    ["in a nested object", object({ o: object({ a: text }) }), { o: { a: "x" } }, { o: { b: 1 } }],
    [
      "in items",
      object({ l: { type: "array", items: object({ a: text }) } }),
      { l: [{ a: "x" }] },
      { l: [{ b: 1 }] },
    ],
    ["in items of items", { items: { items: object({ a: text }) } }, [[{ a: "x" }]], [[{ b: 1 }]]],
    ["in prefixItems", { prefixItems: [object({ a: text })] }, [{ a: "x" }], [{ b: 1 }]],
    ["in values of a map", { additionalProperties: object({ a: text }) }, { k: { a: "x" } }, { k: { b: 1 } }],
    ["in allOf", { allOf: [object({ a: text }), object({ b: text })] }, { a: "x", b: "y" }, { a: "x", c: 1 }],
    ["in allOf of one", { allOf: [object({ a: text })] }, { a: "x" }, { c: 1 }],
    ["beside allOf", { ...object({ a: text }), allOf: [object({ b: text })] }, { a: "x", b: "y" }, { c: 1 }],
    ["in anyOf", { anyOf: [object({ a: text }), object({ b: text })] }, { b: "x" }, { a: "x", b: "y" }],
    [
      "in oneOf",
      { oneOf: [{ ...object({ a: text }), required: ["a"] }, object({ b: text })] },
      { a: "x" },
      { c: 1 },
    ],
    [
      "beside anyOf",
      { ...object({ a: text }), anyOf: [object({ b: text }), { required: ["a"] }] },
      { a: "x", b: "y" },
      { a: "x", c: 1 },
    ],
    [
      "with anyOf and oneOf",
      { anyOf: [object({ a: text })], oneOf: [object({ b: text })] },
      { a: "x", b: "y" },
      { c: 1 },
    ],
    ["in then", condition(object({ x: text })), { kind: "a", x: "x" }, { kind: "a", y: "x" }],
    [
      "inside a value of then",
      condition(object({ x: object({ a: text }) })),
      { kind: "a", x: { a: "x" } },
      { kind: "a", x: { b: 1 } },
    ],
    [
      "in dependentSchemas",
      { ...object({ a: text }), dependentSchemas: { a: object({ b: text }) } },
      { a: "x", b: "y" },
      { a: "x", c: 1 },
    ],
    [
      "behind a reference",
      { ...object({ p: { $ref: "#/$defs/P" } }), $defs: { P: object({ a: text }) } },
      { p: { a: "x" } },
      { p: { b: 1 } },
    ],
    [
      "in a tree",
      object({ v: text, kids: { type: "array", items: { $ref: "#" } } }),
      { v: "x", kids: [{ v: "y", kids: [] }] },
      { kids: [{ w: 1 }] },
    ],
  ];
  test.each(cases)("%s", (_where, schema, known, unknown) => {
    expect(accepts(schema, known)).toBe(true);
    expect(accepts(schema, unknown)).toBe(false);
  });

  test("also where a definition is a part of one object and the whole of another", () => {
    const schema: JsonSchema = {
      ...object({
        whole: { $ref: "#/$defs/Base" },
        extended: { allOf: [{ $ref: "#/$defs/Base" }, object({ b: text })] },
        beside: { $ref: "#/$defs/Base", ...object({ c: text }) },
      }),
      $defs: { Base: object({ a: text }) },
    };
    expect(
      accepts(schema, { whole: { a: "x" }, extended: { a: "x", b: "y" }, beside: { a: "x", c: "z" } }),
    ).toBe(true);
    expect(accepts(schema, { whole: { a: "x", b: "y" } })).toBe(false);
    expect(accepts(schema, { extended: { c: "z" } })).toBe(false);
    expect(accepts(schema, { beside: { b: "y" } })).toBe(false);
  });

  test("and forms beside properties may come from definitions", () => {
    const schema: JsonSchema = {
      ...object({ kind: text }),
      anyOf: [{ $ref: "#/$defs/A" }, { $ref: "#/$defs/B" }],
      $defs: {
        A: { ...object({ a: text }), required: ["a"] },
        B: { ...object({ b: text }), required: ["b"] },
      },
    };
    expect(accepts(schema, { kind: "k", a: "x" })).toBe(true);
    expect(accepts(schema, { kind: "k", a: "x", c: 1 })).toBe(false);
  });
});

describe("an object that says it is open stays open", () => {
  const cases: [string, JsonSchema][] = [
    ["additionalProperties: true", { ...object({ a: text }), additionalProperties: true }],
    ["additionalProperties: {}", { ...object({ a: text }), additionalProperties: {} }],
    ["patternProperties", { ...object({ a: text }), patternProperties: { "^x": text } }],
    ["no list of properties at all", { type: "object" }],
    [
      "an open part",
      { allOf: [object({ a: text }), { ...object({ b: text }), additionalProperties: true }] },
    ],
    [
      "open around a closed definition",
      { $ref: "#/$defs/A", additionalProperties: true, $defs: { A: object({ a: text }) } },
    ],
  ];
  test.each(cases)("%s", (_how, schema) => {
    expect(accepts(schema, { other: 1 })).toBe(true);
  });
});

test("a schema that a condition or negation asks about is not closed", () => {
  const schema: JsonSchema = {
    ...object({ o: { ...object({ a: text, b: text }), not: object({ a: { const: "bad" } }) } }),
    $defs: { Bad: object({ a: { const: "bad" } }) },
  };
  expect(accepts(schema, { o: { a: "bad", b: "y" } })).toBe(false);
  const contains: JsonSchema = { type: "array", contains: { ...object({ a: text }), required: ["a"] } };
  expect(accepts(contains, [{ a: "x", b: 1 }])).toBe(true);
  const byReference: JsonSchema = {
    ...object({
      o: { ...object({ a: text, b: text }), not: { $ref: "#/$defs/Bad" } },
      p: { $ref: "#/$defs/Bad" },
    }),
    $defs: { Bad: object({ a: { const: "bad" } }) },
  };
  expect(accepts(byReference, { o: { a: "bad", b: "y" } })).toBe(false);
  expect(accepts(byReference, { p: { a: "bad", b: "y" } })).toBe(false);
});

test("a property with a default is not required, and nothing else changes", () => {
  const schema: JsonSchema = {
    ...object({ a: { type: "string", default: "x", description: "kept" }, b: text }),
    required: ["a", "b"],
    title: "kept too",
  };
  expect(closeSchema(schema)).toEqual({ ...schema, required: ["b"], additionalProperties: false });
  expect(closeSchema({ ...object({ a: { default: 1 } }), required: ["a"] })).not.toHaveProperty("required");
});

test("`required: true` on a property is explained", () => {
  expect(() => closeSchema(object({ a: { type: "string", required: true as never } }))).toThrow(
    "#/properties/a/required must be a list of names; inside `input` it belongs beside `properties`",
  );
});

test("the given schema is left as it was", () => {
  const schema = { ...object({ a: { ...text, default: "x" } }), required: ["a"] };
  const before = structuredClone(schema);
  closeSchema(schema);
  expect(schema).toEqual(before);
});

test("closing never accepts more, for random schemas", () => {
  const ajv = new Ajv2020({ strict: false, logger: false });
  fc.assert(
    fc.property(arbitraryRoot, fc.array(arbitraryValue, { minLength: 5, maxLength: 8 }), (schema, values) => {
      // A negation turns refusing more into accepting more.
      fc.pre(!/"(not|if|oneOf|contains|default)"/.test(JSON.stringify(schema)));
      const expected = ajv.compile(schema);
      const validate = compileSchema(closeSchema(schema));
      for (const value of values)
        if (validate(value).ok) expect({ schema, value, ok: expected(value) }).toMatchObject({ ok: true });
    }),
    { numRuns: 300 },
  );
});
