import { describe, expect, test } from "vitest";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../src/shared/json-schema/json-schema.ts";

function messages(schema: JsonSchema, value: unknown): string[] {
  const validation = compileSchema(schema)(value);
  return validation.ok ? [] : validation.issues.map((issue) => issue.message);
}

function definitionError(schema: unknown): string {
  try {
    compileSchema(schema as JsonSchema);
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
  return "no error";
}

describe("each keyword refuses with path, expectation and what was received", () => {
  const inside = (schema: JsonSchema): JsonSchema => ({ type: "object", properties: { it: schema } });
  const cases: [JsonSchema, unknown, string][] = [
    [{ type: "string" }, 5, "$.it must be a string; received 5"],
    [{ type: "number" }, "5", '$.it must be a number; received "5"'],
    [{ type: "integer" }, 1.5, "$.it must be a whole number; received 1.5"],
    [{ type: "boolean" }, "true", '$.it must be true or false; received "true"'],
    [{ type: "array" }, {}, "$.it must be an array; received an empty object"],
    [{ type: "object" }, [1, 2], "$.it must be an object; received an array of 2 items"],
    [{ type: "null" }, 0, "$.it must be null; received 0"],
    [
      { type: ["string", "null"] },
      { a: 1, b: 2 },
      "$.it must be a string or null; received an object with a, b",
    ],
    [{ enum: ["a", 1] }, "b", '$.it must be one of "a", 1; received "b"'],
    [
      { enum: [{ a: [1], b: 2 }] },
      { b: 2 },
      '$.it must be one of {"a":[1],"b":2}; received an object with b',
    ],
    [{ const: "x" }, "y", '$.it must be "x"; received "y"'],
    [{ minLength: 1 }, "", '$.it must be at least 1 character long; received ""'],
    [{ maxLength: 2 }, "abc", '$.it must be at most 2 characters long; received "abc"'],
    [{ pattern: "^a" }, "b", '$.it must be text matching ^a; received "b"'],
    [{ minimum: 1 }, 0, "$.it must be at least 1; received 0"],
    [{ maximum: 9 }, 10, "$.it must be at most 9; received 10"],
    [{ minimum: 1, maximum: 9 }, 10, "$.it must be between 1 and 9; received 10"],
    [{ exclusiveMinimum: 0 }, 0, "$.it must be greater than 0; received 0"],
    [{ exclusiveMaximum: 1 }, 1, "$.it must be less than 1; received 1"],
    [{ multipleOf: 5 }, 7, "$.it must be a multiple of 5; received 7"],
    [{ properties: { "a b": { type: "null" } } }, { "a b": 1 }, '$.it["a b"] must be null; received 1'],
    [{ properties: { n: { type: "number" } }, required: ["n"] }, {}, "$.it.n is required but missing"],
    [{ patternProperties: { "^x": { type: "null" } } }, { x1: 1 }, "$.it.x1 must be null; received 1"],
    [{ additionalProperties: false }, { a: 1 }, "$.it.a is not allowed; expected no parameters"],
    [
      { properties: { a: true, b: true }, additionalProperties: false },
      { c: 1 },
      "$.it.c is not allowed; expected only a, b",
    ],
    [{ additionalProperties: { type: "null" } }, { a: 1 }, "$.it.a must be null; received 1"],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      '$.it.ab must be at most 1 character long; received "ab"',
    ],
    [{ minProperties: 1 }, {}, "$.it must be an object with at least 1 property; received an empty object"],
    [
      { maxProperties: 1 },
      { a: 1, b: 1 },
      "$.it must be an object with at most 1 property; received an object with a, b",
    ],
    [{ dependentRequired: { a: ["b"] } }, { a: 1 }, "$.it.b is required when a is given"],
    [{ dependentSchemas: { a: { required: ["b"] } } }, { a: 1 }, "$.it.b is required but missing"],
    [{ prefixItems: [true, { type: "null" }] }, [1, 2], "$.it[1] must be null; received 2"],
    [{ items: { type: "null" } }, [null, 2], "$.it[1] must be null; received 2"],
    [{ items: false }, [2], "$.it[0] must be absent; received 2"],
    [
      { contains: { type: "null" } },
      [1],
      "$.it must be an array with at least 1 matching item; received an array of 1 item",
    ],
    [{ minItems: 2 }, [1], "$.it must be an array of at least 2 items; received an array of 1 item"],
    [{ maxItems: 1 }, [1, 2], "$.it must be an array of at most 1 item; received an array of 2 items"],
    [
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      "$.it must be an array without repeated items; received an array of 2 items",
    ],
    [{ allOf: [{ type: "number" }, { minimum: 3 }] }, 2, "$.it must be at least 3; received 2"],
    [
      { anyOf: [{ type: "string" }, { type: "number" }] },
      null,
      "$.it must be a string or a number; received null",
    ],
    [
      { oneOf: [{ minimum: 1 }, { minimum: 2 }] },
      3,
      "$.it must be exactly one of 2 forms (it fits 2); received 3",
    ],
    [{ not: { type: "null" } }, null, "$.it must be something other than this form; received null"],
    [
      { $ref: "#/properties/it/$defs/N", $defs: { N: { type: "number" } } },
      "x",
      '$.it must be a number; received "x"',
    ],
  ];
  test.each(cases)("%j on %j", (schema, value, message) => {
    expect(messages(inside(schema), { it: value })).toEqual([message]);
  });

  test("a condition applies the branch it leads to", () => {
    const schema = JSON.parse(`{
      "if": { "properties": { "kind": { "const": "a" } } },
      "then": { "required": ["x"] },
      "else": { "required": ["y"] }
    }`);
    expect(messages(schema, { kind: "a" })).toEqual(["$.x is required but missing"]);
    expect(messages(schema, { kind: "b" })).toEqual(["$.y is required but missing"]);
  });
});

test("an issue carries path, expected and received apart from the message", () => {
  const validation = compileSchema({ properties: { n: { type: "integer", minimum: 1, maximum: 5 } } })({
    n: 9,
  });
  expect(validation).toEqual({
    ok: false,
    issues: [
      {
        path: "$.n",
        expected: "between 1 and 5",
        received: "9",
        message: "$.n must be between 1 and 5; received 9",
      },
    ],
  });
});

test("all problems are named at once, but not endlessly many", () => {
  const schema: JsonSchema = { type: "array", items: { type: "string" } };
  expect(messages(schema, [1, "a", 2])).toHaveLength(2);
  expect(messages(schema, new Array(10_000).fill(1))).toHaveLength(50);
});

test("long values and long lists of names are shortened in messages", () => {
  const [message] = messages({ type: "number" }, "x".repeat(100_000));
  expect(message).toContain("(100000 characters)");
  expect(message!.length).toBeLessThan(200);
  const properties = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`p${index}`, true]));
  expect(messages({ properties, additionalProperties: false }, { q: 1 })[0]!.length).toBeLessThan(300);
});

describe("a union that nothing fits", () => {
  const union: JsonSchema = {
    oneOf: [
      { type: "object", properties: { kind: { const: "a" }, n: { type: "string" } }, required: ["kind"] },
      { type: "object", properties: { kind: { const: "b" }, n: { type: "number" } }, required: ["kind"] },
    ],
  };
  test("lists the tags when no form has this one", () => {
    expect(messages(union, { kind: "c" })).toEqual(['$.kind must be "a" or "b"; received "c"']);
  });
  test("speaks of the form that came closest", () => {
    expect(messages(union, { kind: "b", n: null })).toEqual(["$.n must be a number; received null"]);
  });
  test("prefers the form whose tag is right when both have one problem", () => {
    expect(messages(union, { kind: "b", n: "x" })).toEqual(['$.n must be a number; received "x"']);
  });
});

test("length counts characters, not UTF-16 units", () => {
  expect(messages({ maxLength: 2 }, "😀😀")).toEqual([]);
  expect(messages({ minLength: 3 }, "😀😀")).toHaveLength(1);
});

test("a multiple is meant in decimals, and a tiny remainder is a remainder", () => {
  expect(messages({ multipleOf: 0.1 }, 0.3)).toEqual([]);
  expect(messages({ multipleOf: 0.01 }, 1.1)).toEqual([]);
  expect(messages({ multipleOf: 1 }, 1e-10)).toHaveLength(1);
  expect(messages({ multipleOf: 3 }, 1e15 + 1)).toHaveLength(1);
});

describe("defaults", () => {
  test("are filled in, also inside filled-in objects, items and the chosen form", () => {
    const validate = compileSchema({
      type: "object",
      properties: {
        limit: { type: "integer", default: 10 },
        nested: { type: "object", properties: { deep: { default: null } }, default: {} },
        list: { type: "array", items: { properties: { on: { default: true } } } },
        choice: {
          anyOf: [
            { properties: { kind: { const: "a" }, x: { default: 1 } } },
            { properties: { kind: { const: "b" }, y: { default: 2 } } },
          ],
        },
      },
    });
    expect(validate({ list: [{}, { on: false }], choice: { kind: "b" } })).toEqual({
      ok: true,
      value: {
        limit: 10,
        nested: { deep: null },
        list: [{ on: true }, { on: false }],
        choice: { kind: "b", y: 2 },
      },
    });
  });

  test("are never shared between calls, nor with the schema", () => {
    const schema: JsonSchema = {
      type: "object",
      properties: { tags: { type: "array", default: [{ n: 1 }] } },
    };
    const validate = compileSchema(schema);
    const first = validate({});
    if (!first.ok) throw new Error("refused");
    (first.value as { tags: unknown[] }).tags.push("changed");
    expect(validate({})).toEqual({ ok: true, value: { tags: [{ n: 1 }] } });
  });

  test("leave the caller's own object alone", () => {
    const input = {};
    compileSchema({ properties: { a: { default: 1 } } })(input);
    expect(input).toEqual({});
  });

  test("that do not fit their own schema are refused at definition", () => {
    expect(definitionError({ properties: { n: { type: "number", default: "1" } } })).toBe(
      'SchemaError: #/properties/n/default does not fit its own schema: $ must be a number; received "1"',
    );
  });
});

test("keys that exist on every object are not mistaken for given ones", () => {
  expect(messages({ required: ["toString"] }, {})).toEqual(["$.toString is required but missing"]);
  expect(messages({ properties: Object.fromEntries([["valueOf", { type: "string" }]]) }, {})).toEqual([]);
  expect(messages({ additionalProperties: false }, { hasOwnProperty: 1 })).toHaveLength(1);
});

describe("a schema that cannot be checked is refused at definition", () => {
  const cases: [unknown, RegExp][] = [
    [{ type: "text" }, /#\/type: "text" is not a JSON type/],
    [{ properties: { a: "string" } }, /#\/properties\/a must be a schema/],
    [{ properties: [] }, /#\/properties must be an object of schemas/],
    [{ pattern: "(" }, /#\/pattern: Invalid regular expression/],
    [{ pattern: 1 }, /#\/pattern must be a regular expression/],
    [{ patternProperties: { "[": true } }, /#\/patternProperties: Invalid/],
    [{ enum: "a" }, /#\/enum must be a list/],
    [{ required: true }, /#\/required must be a list of names/],
    [{ minimum: "1" }, /#\/minimum must be a number; received "1"/],
    [{ exclusiveMinimum: true }, /#\/exclusiveMinimum must be a number/],
    [{ minLength: -1 }, /#\/minLength must be a whole number from 0 on/],
    [{ multipleOf: 0 }, /#\/multipleOf must be greater than 0/],
    [{ anyOf: [] }, /#\/anyOf must be a list of one or more schemas/],
    [{ items: [{}] }, /#\/items must be a schema/],
    [{ $ref: "https://example.com/a.json" }, /must point into this schema/],
    [{ $ref: "#/$defs/Missing" }, /must point into this schema/],
    [{ $ref: "#/%" }, /must point into this schema/],
    [{ unevaluatedProperties: false }, /is not supported; it would be accepted but never checked/],
    [{ items: { additionalItems: false } }, /#\/items\/additionalItems is not supported/],
  ];
  test.each(cases)("%j", (schema, message) => {
    expect(definitionError(schema)).toMatch(message);
    expect(definitionError(schema)).toMatch(/^SchemaError/);
  });
});

test("a pattern that only works without the u flag still works", () => {
  expect(messages({ pattern: "^a\\-b$" }, "a-b")).toEqual([]);
});

test("a pointer is read with its escapes", () => {
  const $defs: Record<string, JsonSchema> = { "a/b~c d": { type: "null" } };
  expect(messages({ $ref: "#/$defs/a~1b~0c%20d", $defs }, 1)).toEqual(["$ must be null; received 1"]);
});
