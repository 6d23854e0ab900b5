import { describe, expect, test } from "vitest";
import { closeSchema } from "../../../src/shared/json-schema/close-schema.ts";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import { type JsonSchema, SchemaError } from "../../../src/shared/json-schema/json-schema.ts";
import { casesOf } from "../../support/fuzz.ts";

function compileClosed(schema: JsonSchema) {
  return compileSchema(closeSchema(schema));
}

function chain(length: number, link: (next: JsonSchema) => JsonSchema): Record<string, JsonSchema> {
  const links = Array.from({ length }, (_, index): [string, JsonSchema] => [
    `d${index}`,
    index === length - 1 ? { type: "string" } : link({ $ref: `#/$defs/d${index + 1}` }),
  ]);
  return Object.fromEntries(links);
}

describe("a schema that asks itself about the same value is refused at definition", () => {
  const cases: [string, JsonSchema][] = [
    ["by itself", { $ref: "#" }],
    ["in a circle", { $ref: "#/$defs/a", $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } } }],
    ["in a choice", { anyOf: [{ $ref: "#" }, { $ref: "#" }] }],
    ["in a negation", { not: { $ref: "#" } }],
    ["in a condition", { if: { $ref: "#" } }],
    ["in a dependency", { dependentSchemas: { a: { $ref: "#" } } }],
    ["below a property", { properties: { a: { allOf: [{ $ref: "#/properties/a" }] } } }],
  ];
  test.each(cases)("%s", (_where, schema) => {
    expect(() => compileClosed(schema)).toThrow(SchemaError);
    expect(() => compileClosed(schema)).toThrow(/refers to itself for the same value/);
  });
});

test("a schema that refers to itself for its parts is fine, down to the deepest value allowed", () => {
  const validate = compileClosed({
    type: "object",
    properties: { next: { $ref: "#" }, end: { type: "string" } },
  });
  let value: Record<string, unknown> = { end: "here" };
  for (let depth = 0; depth < 95; depth++) value = { next: value };
  expect(validate(value).ok).toBe(true);
  expect(validate({ next: { next: { end: 1 } } })).toMatchObject({ issues: [{ path: "$.next.next.end" }] });
  for (let depth = 0; depth < 10_000; depth++) value = { next: value };
  expect(validate(value)).toMatchObject({
    ok: false,
    issues: [{ received: "something nested more than 100 deep" }],
  });
});

test("10,000 properties are compiled and checked", () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(
    names.map((name): [string, JsonSchema] => [name, { type: "number" }]),
  );
  const validate = compileClosed({ type: "object", properties, required: names });
  expect(validate(Object.fromEntries(names.map((name) => [name, 1]))).ok).toBe(true);
  expect(validate({ p1: 1, other: 2 })).toMatchObject({ ok: false });
});

test.each(casesOf({ sample: ["anyOf"], full: ["allOf", "anyOf", "oneOf"] }))(
  "%s with more forms than a function takes arguments is closed",
  (keyword) => {
    const forms = Array.from({ length: 150_000 }, () => ({ required: ["a"] }));
    const wide: JsonSchema = { properties: { a: {} }, [keyword]: forms };
    for (const schema of [wide, { properties: {}, allOf: [wide] }])
      expect(closeSchema({ type: "object", ...schema })).toHaveProperty("additionalProperties", false);
  },
);

test("10,000 definitions that share a form are closed in one go", () => {
  const shared: JsonSchema = { $ref: "#/$defs/shared" };
  const $defs = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`d${index}`, { allOf: [shared, { required: ["a"] }] }]),
  );
  $defs.shared = { type: "object", properties: { a: { type: "string" } } } as never;
  const validate = compileClosed({ type: "object", properties: { first: { $ref: "#/$defs/d0" } }, $defs });
  expect(validate({ first: { a: "x" } }).ok).toBe(true);
  expect(validate({ first: { a: "x", b: 1 } }).ok).toBe(false);
});

test("an endless chain of references is refused, not a crash", () => {
  const $defs = chain(20_000, (next) => ({ properties: { next } }));
  expect(() => compileClosed({ $ref: "#/$defs/d0", $defs })).toThrow(/nested too deeply/);
});

test("a schema nested beyond reason is refused at definition", () => {
  let schema: JsonSchema = { type: "string" };
  for (let depth = 0; depth < 10_000; depth++) schema = { items: schema };
  expect(() => compileClosed(schema)).toThrow(/the schema is not JSON: .* nested more than 100 deep/);
});

describe("forms that multiply end in a refusal, and never in an acceptance", () => {
  const doubling = (keyword: string) => chain(60, (next) => ({ [keyword]: [next, next] }));
  test.each(["allOf", "anyOf", "oneOf"])("%s of %s", (keyword) => {
    const $defs = doubling(keyword);
    const validation = compileClosed({ $ref: "#/$defs/d0", $defs })(5);
    expect(validation).toMatchObject({
      ok: false,
      issues: [{ expected: "a value that can be checked in reasonable time" }],
    });
  });
  test("not even inside a negation", () => {
    expect(compileClosed({ not: { $ref: "#/$defs/d0" }, $defs: doubling("oneOf") })(5).ok).toBe(false);
  });
  test("nor when each level of the value doubles the work", () => {
    const tree: JsonSchema = {
      oneOf: [{ properties: { a: { $ref: "#" } } }, { properties: { a: { $ref: "#" } } }],
    };
    let value: unknown = 1;
    for (let depth = 0; depth < 60; depth++) value = { a: value };
    expect(compileSchema(tree)(value).ok).toBe(false);
  });
});

test("a schema with keys that reach for prototypes is refused", () => {
  const schema = JSON.parse('{ "type": "object", "properties": { "__proto__": { "type": "string" } } }');
  expect(() => compileClosed(schema)).toThrow(/an object with the key __proto__/);
});

test("a schema changed after its definition changes nothing", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const validate = compileClosed(schema as JsonSchema);
  schema.properties.a.type = "number";
  expect(validate({ a: "x" }).ok).toBe(true);
});
