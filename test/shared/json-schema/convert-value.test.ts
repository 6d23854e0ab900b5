import { expect, test } from "vitest";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../src/shared/json-schema/json-schema.ts";
import { convertValue } from "../../../src/shared/json-schema/readings/convert-value.ts";
import { fc, fuzzRuns } from "../../support/fuzz.ts";
import { arbitraryRoot, arbitraryValue } from "./arbitrary-schema.ts";

/** What `text` is read as where a value of this schema is wanted; the text itself if it is not converted. */
function read(schema: JsonSchema, text: unknown): unknown {
  const { value } = convertValue(
    { it: text },
    { type: "object", properties: { it: schema }, required: ["it"] },
  );
  return (value as { it: unknown }).it;
}

const number: JsonSchema = { type: "number" };
const integer: JsonSchema = { type: "integer" };

test.each([
  ["3", 3],
  ["0", 0],
  ["-3", -3],
  ["3.5", 3.5],
  ["3.50", 3.5],
  ["3.0", 3],
  ["9007199254740991", 9007199254740991],
])("%j is the number %d", (text, expected) => {
  expect(read(number, text)).toBe(expected);
});

test.each([
  "",
  " 3 ",
  "3 ",
  "+3",
  "03",
  "-0",
  ".5",
  "3.",
  "1e3",
  "0x10",
  "1_000",
  "1,000",
  "NaN",
  "Infinity",
  "12345678901234567890",
  "0.1000000000000000055",
  "1".repeat(400),
  "three",
  "3 lines",
  "٣",
])("%j is not a number", (text) => {
  expect(read(number, text)).toBe(text);
});

test("a whole number takes no fraction", () => {
  expect(read(integer, "3.5")).toBe("3.5");
  expect(read(integer, "3.0")).toBe(3);
});

test("only the words of JSON are true and false", () => {
  expect(read({ type: "boolean" }, "true")).toBe(true);
  expect(read({ type: "boolean" }, "false")).toBe(false);
  for (const text of ["True", "yes", "1", "", " true", "null"])
    expect(read({ type: "boolean" }, text)).toBe(text);
  expect(read({ type: "boolean" }, 1)).toBe(1);
});

test("a list or an object may be given as JSON text, with the values inside converted too", () => {
  const list: JsonSchema = { type: "array", items: integer };
  expect(read(list, '["1", 2]')).toEqual([1, 2]);
  expect(read(list, " [1]\n")).toEqual([1]);
  expect(read({ type: "object", properties: { n: number } }, '{"n": "1", "m": "1"}')).toEqual({
    n: 1,
    m: "1",
  });
  for (const text of ["[1", "1, 2", "{}", "[1] [2]", "['1']"]) expect(read(list, text)).toBe(text);
});

test("JSON text that can be read in two ways, or holds what an input may not, stays text", () => {
  const object: JsonSchema = { type: "object" };
  expect(read(object, '{"a": 1, "a": 2}')).toBe('{"a": 1, "a": 2}');
  expect(read(object, '{"a": "b\\": 1", "c": [{"a": ":"}]}')).toEqual({ a: 'b": 1', c: [{ a: ":" }] });
  expect(read(object, '{"__proto__": {"a": 1}}')).toBe('{"__proto__": {"a": 1}}');
  const deep = "[".repeat(5000) + "]".repeat(5000);
  expect(read({ type: "array" }, deep)).toBe(deep);
});

test("text is never converted where a text may be meant", () => {
  const takingText: JsonSchema[] = [
    { type: "string" },
    { type: ["string", "number"] },
    {},
    { anyOf: [number, { type: "string", pattern: "^x" }] },
    { oneOf: [number, { $ref: "#/$defs/name" }] },
    { enum: [1, 2, "auto"] },
    { not: { const: "3" } },
  ];
  for (const schema of takingText) {
    const { value } = convertValue(
      { it: "3" },
      { type: "object", properties: { it: schema }, $defs: { name: { type: "string", minLength: 2 } } },
    );
    expect(value).toEqual({ it: "3" });
  }
});

test("unions without text, references, constants and choices of numbers are seen through", () => {
  expect(read({ anyOf: [number, { type: "boolean" }] }, "3")).toBe(3);
  expect(read({ anyOf: [number, { type: "boolean" }] }, "true")).toBe(true);
  expect(read({ anyOf: [{ type: "array" }, { type: "null" }] }, "[]")).toEqual([]);
  expect(read({ enum: [1, 2] }, "2")).toBe(2);
  expect(read({ const: false }, "false")).toBe(false);
  expect(read({ allOf: [{ type: ["string", "number"] }, { type: "number" }] }, "3")).toBe(3);
});

test("the form that a tag names decides; without one, every form does", () => {
  const tagged = (is: string, size: JsonSchema): JsonSchema => ({
    type: "object",
    properties: { is: { const: is }, size },
  });
  const shape: JsonSchema = { anyOf: [tagged("circle", number), tagged("word", { type: "string" })] };
  expect(read(shape, { is: "circle", size: "3" })).toEqual({ is: "circle", size: 3 });
  expect(read(shape, { is: "word", size: "3" })).toEqual({ is: "word", size: "3" });
  expect(read(shape, { is: "other", size: "3" })).toEqual({ is: "other", size: "3" });
});

test("null is left out where a declared parameter is optional and takes no null", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      optional: number,
      needed: number,
      nullable: { type: ["number", "null"] },
      inside: { type: "object", properties: { optional: { type: "string" } } },
      map: { type: "object", additionalProperties: number },
      list: { type: "array", items: number },
    },
    required: ["needed"],
    additionalProperties: false,
  };
  const given = {
    optional: null,
    needed: null,
    nullable: null,
    unknown: null,
    inside: { optional: null },
    map: { any: null },
    list: [null],
  };
  const { value, conversions } = convertValue(given, schema);
  const { optional: _left, ...kept } = given;
  expect(value).toEqual({ ...kept, inside: {} });
  expect(conversions).toEqual([
    { path: "$.optional", from: "null", to: "absent" },
    { path: "$.inside.optional", from: "null", to: "absent" },
  ]);
});

test("a value that needs more than a hundred conversions is left as it is", () => {
  const list: JsonSchema = { type: "array", items: number };
  const texts = Array.from({ length: 101 }, () => "1");
  expect(convertValue(texts, list)).toEqual({ value: texts, conversions: [] });
  expect(convertValue(texts.slice(1), list).conversions).toHaveLength(100);
});

test("forms that multiply end the attempt, not the process", () => {
  const $defs: Record<string, JsonSchema> = { d0: number };
  for (let depth = 1; depth <= 40; depth++) {
    const $ref = `#/$defs/d${depth - 1}`;
    $defs[`d${depth}`] = { anyOf: [{ $ref }, { $ref }] };
  }
  const root: JsonSchema = { $ref: "#/$defs/d40", $defs };
  expect(convertValue("3", root).value).toBe(3);
  expect(convertValue({ a: "3" }, root)).toEqual({ value: { a: "3" }, conversions: [] });
});

/** Values as models write them: now and then a part is text, or null where it could be left out. */
const written: fc.Arbitrary<unknown> = fc.oneof(
  arbitraryValue,
  arbitraryValue.map((value) => JSON.stringify(value)),
  fc.dictionary(
    fc.constantFrom("a", "b", "c"),
    fc.oneof(
      arbitraryValue,
      arbitraryValue.map((value) => JSON.stringify(value)),
    ),
    { maxKeys: 3, noNullPrototype: true },
  ),
);

/** As the pipeline does it: only what does not fit is converted, and counts only if it then fits. */
function take(schema: JsonSchema, value: unknown): { value: unknown; isConverted: boolean } | undefined {
  const validate = compileSchema(schema);
  if (validate(value).ok) return { value, isConverted: false };
  const converted = convertValue(value, schema);
  if (converted.conversions.length === 0 || !validate(converted.value).ok) return undefined;
  return { value: converted.value, isConverted: true };
}

test("for random schemas: converting again changes nothing, and only strings and nulls ever change", () => {
  let converted = 0;
  fc.assert(
    fc.property(arbitraryRoot, fc.array(written, { minLength: 8, maxLength: 12 }), (schema, values) => {
      for (const value of values) {
        const before = JSON.stringify(value);
        const taken = take(schema, value);
        expect(JSON.stringify(value)).toBe(before);
        if (taken === undefined) continue;
        expect(take(schema, taken.value)).toEqual({ value: taken.value, isConverted: false });
        if (!taken.isConverted) continue;
        converted++;
        expect(changedTypes(value, taken.value)).not.toContainEqual(
          expect.not.stringMatching(/^(string|null)$/),
        );
      }
    }),
    { numRuns: fuzzRuns({ sample: 600, full: 20_000 }) },
  );
  expect(converted).toBeGreaterThan(60);
});

test("for random schemas: a part that fits on its own is never changed, whatever is wrong beside it", () => {
  const property = fc.constantFrom<JsonSchema>(
    number,
    integer,
    { type: "string" },
    { type: "boolean" },
    { type: ["string", "null"] },
    { type: "array", items: { type: ["integer", "string"] } },
    { type: "object", properties: { a: number } },
    { enum: [1, "1", null] },
    { anyOf: [{ type: "boolean" }, { type: "array" }] },
  );
  fc.assert(
    fc.property(fc.record({ a: property, b: property, c: property }), written, (properties, value) => {
      const schema: JsonSchema = { type: "object", properties, required: ["a"], additionalProperties: false };
      const { value: converted } = convertValue(value, schema);
      if (typeof value !== "object" || value === null) return;
      for (const [name, inner] of Object.entries(value)) {
        const own = (properties as Record<string, JsonSchema>)[name];
        if (own === undefined || !compileSchema(own)(inner).ok) continue;
        expect((converted as Record<string, unknown>)[name]).toEqual(inner);
      }
    }),
    { numRuns: fuzzRuns({ sample: 500, full: 20_000 }) },
  );
});

/** The types of the parts that differ. */
function changedTypes(before: unknown, after: unknown): string[] {
  if (before === null) return after === null ? [] : ["null"];
  if (typeof before !== "object" || typeof after !== "object" || after === null) {
    return before === after ? [] : [typeof before];
  }
  return Object.keys(before).flatMap((key) =>
    changedTypes((before as Record<string, unknown>)[key], (after as Record<string, unknown>)[key]),
  );
}
