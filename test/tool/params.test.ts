import { describe, expect, test } from "vitest";
import { defineTool } from "../../src/tool/index.ts";
import { type ParamDefinitions, paramsToJsonSchema } from "../../src/tool/params.ts";

test("parameters are required unless they say otherwise, and keywords are kept at every level", () => {
  const schema = paramsToJsonSchema({
    path: { type: "string", pattern: "^/", description: "Where" },
    depth: { type: "integer", minimum: 0, required: false },
    sort: { type: "string", enum: ["name", "size"], default: "name" },
    ranges: {
      type: "array",
      description: "Parts",
      minItems: 1,
      items: {
        type: "object",
        description: "Part",
        properties: {
          from: { type: "number", description: "Start" },
          to: { type: "number", required: false },
          tags: { type: "array", items: { type: "string", maxLength: 5, description: "Tag" }, default: [] },
        },
      },
    },
  });
  expect(schema).toEqual({
    type: "object",
    properties: {
      path: { type: "string", pattern: "^/", description: "Where" },
      depth: { type: "integer", minimum: 0 },
      sort: { type: "string", enum: ["name", "size"], default: "name" },
      ranges: {
        type: "array",
        description: "Parts",
        minItems: 1,
        items: {
          type: "object",
          description: "Part",
          properties: {
            from: { type: "number", description: "Start" },
            to: { type: "number" },
            tags: { type: "array", items: { type: "string", maxLength: 5, description: "Tag" }, default: [] },
          },
          required: ["from"],
          additionalProperties: false,
        },
      },
    },
    required: ["path", "ranges"],
    additionalProperties: false,
  });
});

test("a tool without parameters takes none", async () => {
  const tool = defineTool({ name: "now", description: "The time.", params: {}, run: () => "noon" });
  expect(await tool.validateInput({})).toEqual({ ok: true, value: {} });
  expect(await tool.validateInput({ a: 1 })).toMatchObject({
    issues: [{ message: "$.a is not allowed; expected no parameters" }],
  });
});

test("an object parameter may say that it is open", async () => {
  const params = {
    o: { type: "object", properties: { a: { type: "string" } }, additionalProperties: true },
  } as const;
  const tool = defineTool({ name: "t", description: "T.", params, run: () => "" });
  expect(await tool.validateInput({ o: { a: "x", b: 1 } })).toMatchObject({ ok: true });
});

describe("a misunderstanding is explained", () => {
  const cases: [string, unknown, RegExp][] = [
    [
      "params that are a list",
      [{ type: "string" }],
      /^params must be an object with a parameter for each name$/,
    ],
    ["a parameter that is only a type", { a: "string" }, /^params\.a needs a type, such as/],
    ["a parameter without a type", { a: { description: "x" } }, /^params\.a needs a type/],
    [
      "a list of required names",
      { o: { type: "object", properties: {}, required: ["a"] } },
      /^params\.o\.required must be true or false/,
    ],
    [
      "items of a string",
      { a: { type: "string", items: { type: "string" } } },
      /^params\.a\.items needs type "array"$/,
    ],
    [
      "properties of an array",
      { a: { type: "array", properties: {} } },
      /^params\.a\.properties needs type "object"$/,
    ],
    ["items without a type", { a: { type: "array", items: {} } }, /^params\.a\.items needs a type/],
    [
      "a nested parameter without a type",
      { o: { type: "object", properties: { b: {} } } },
      /^params\.o\.properties\.b needs a type/,
    ],
  ];
  test.each(cases)("%s", (_what, params, message) => {
    expect(() => paramsToJsonSchema(params as ParamDefinitions)).toThrow(message);
  });

  test("an unknown type and a default of another type are found too", () => {
    const define = (params: unknown) =>
      defineTool({ name: "t", description: "T.", params: params as ParamDefinitions, run: () => "" });
    expect(() => define({ a: { type: "text" } })).toThrow(
      't: #/properties/a/type: "text" is not a JSON type',
    );
    expect(() => define({ a: { type: "number", default: "1" } })).toThrow(
      /t: #\/properties\/a\/default does not fit/,
    );
    expect(() => define(JSON.parse('{ "__proto__": { "type": "string" } }'))).toThrow(
      /an object with the key __proto__/,
    );
  });
});
