import { expect, test } from "vitest";
import { readForm } from "../../../../src/capabilities/mcp-client/call/read-form.ts";

function read(properties: Record<string, unknown>, more: object = {}) {
  return readForm({ message: "Well?", requestedSchema: { type: "object", properties, ...more } });
}

test("fields keep what a form knows, and nothing else", () => {
  const name = { type: "string", title: "Name", minLength: 1, maxLength: 9, default: "Ada" };
  const pet = { type: "string", enum: ["cat"], enumNames: ["Cat"] };
  const fish = { type: "array", items: { anyOf: [{ const: "t", title: "Tuna" }] }, minItems: 1 };
  const properties = {
    name: { ...name, pattern: "(a+)+$", $ref: "https://example.com" },
    pet: { ...pet, format: "html" },
    fish: { ...fish, items: { ...fish.items, more: 1 } },
  };
  expect(read(properties, { required: ["pet", "other"] })).toEqual({
    text: "Well?",
    fields: {
      name: { ...name, required: false },
      pet: { ...pet, required: true },
      fish: { ...fish, required: false },
    },
  });
});

test("the texts of a form lose their invisible characters, and have a bounded length", () => {
  const { text, fields } = readForm({
    message: `W\u202eell\u001b[2J?${"x".repeat(100_000)}`,
    requestedSchema: {
      type: "object",
      properties: { a: { type: "string", title: "T\u200bitle", description: "d".repeat(9000) } },
    },
  });
  expect(text).toMatch(/^Well\?x+… \[cut from/);
  expect(text.length).toBeLessThan(17_000);
  expect(fields.a).toMatchObject({ title: "Title" });
  expect(fields.a?.description?.length).toBeLessThan(2200);
});

test("a default that does not fit removes all defaults, not the form", () => {
  const { fields } = read({
    a: { type: "integer", minimum: 5, default: 1 },
    b: { type: "boolean", default: true },
  });
  expect(fields).toEqual({
    a: { type: "integer", minimum: 5, required: false },
    b: { type: "boolean", required: false },
  });
});

test("a form without fields asks for consent alone", () => {
  expect(read({}).fields).toEqual({});
});

test.each([
  ["a name with something hidden", { "a\u200b": { type: "string" } }],
  ["a choice with something hidden", { a: { type: "string", enum: ["a\u202e"] } }],
  ["a choice that is no text", { a: { type: "string", enum: [1] } }],
  ["a titled choice that is none", { a: { type: "string", oneOf: ["a"] } }],
  ["no choice at all", { a: { type: "string", enum: [] } }],
  ["an object within", { a: { type: "object", properties: {} } }],
  ["a field of no type", { a: {} }],
  ["a field that is none", { a: "string" }],
  ["a list of anything", { a: { type: "array", items: { type: "string" } } }],
  ["a name that reaches into every object", JSON.parse('{"__proto__":{"type":"string"}}')],
  [
    "too many fields",
    Object.fromEntries(Array.from({ length: 101 }, (_, index) => [index, { type: "string" }])),
  ],
  ["too much of everything", { a: { type: "string", enum: ["x".repeat(200_000)] } }],
])("a form with %s is refused", (_what, properties) => {
  expect(() => read(properties as Record<string, unknown>)).toThrow("cannot be shown to the user");
});

test.each([undefined, null, "form", {}, { requestedSchema: "a" }, { requestedSchema: { type: "object" } }])(
  "%j is no form",
  (params) => {
    expect(() => readForm(params)).toThrow("cannot be shown to the user");
  },
);
