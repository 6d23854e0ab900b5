import { expect, test } from "vitest";
import { toObjectRoot } from "../../../src/formats/schemas/object-root.ts";

test("a schema that is one object already is left alone", () => {
  const schema = {
    type: "object",
    properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
  } as const;
  expect(toObjectRoot(schema)).toBe(schema);
});

test("a choice of objects becomes one with all their properties, required where all require them", () => {
  const circle = {
    type: "object",
    properties: {
      kind: { type: "string", const: "circle" },
      radius: { type: "number" },
      size: { type: "string" },
    },
    required: ["kind", "radius"],
    additionalProperties: false,
  } as const;
  const square = {
    type: "object",
    properties: {
      kind: { type: "string", const: "square" },
      side: { type: "number" },
      size: { type: "number" },
    },
    required: ["kind", "side"],
    additionalProperties: false,
  } as const;
  expect(toObjectRoot({ type: "object", description: "A shape", oneOf: [circle, square] })).toEqual({
    type: "object",
    description: "A shape",
    properties: {
      kind: { type: "string", enum: ["circle", "square"] },
      radius: { type: "number" },
      size: { anyOf: [{ type: "string" }, { type: "number" }] },
      side: { type: "number" },
    },
    required: ["kind"],
    additionalProperties: false,
  });
});

test("parts that all apply require what any of them requires, and references are followed", () => {
  expect(
    toObjectRoot({
      allOf: [{ $ref: "#/$defs/named" }, { properties: { age: { type: "integer" } } }],
      $defs: { named: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
    }),
  ).toEqual({
    type: "object",
    properties: { name: { type: "string" }, age: { type: "integer" } },
    required: ["name"],
    $defs: { named: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } },
  });
});

test("a reference to itself comes to an end", () => {
  expect(toObjectRoot({ type: "object", $ref: "#" })).toEqual({
    type: "object",
    properties: {},
    required: [],
  });
  expect(toObjectRoot({ anyOf: [{ $ref: "#/anyOf/0" }, { properties: { a: {} } }] }).properties).toEqual({
    a: {},
  });
});
