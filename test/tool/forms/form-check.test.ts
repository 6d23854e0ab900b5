import { expect, expectTypeOf, test } from "vitest";
import { createFormCheck } from "../../../src/tool/forms/form-check.ts";
import type { FormField, FormFields, InferFields } from "../../../src/tool/forms/form-fields.ts";
import { formToJsonSchema } from "../../../src/tool/forms/form-fields.ts";

const fields = {
  name: { type: "string", minLength: 2, maxLength: 5 },
  age: { type: "integer", minimum: 0, maximum: 150, default: 30 },
  score: { type: "number", required: false },
  agreed: { type: "boolean" },
  colour: {
    type: "string",
    oneOf: [
      { const: "r", title: "Red" },
      { const: "b", title: "Blue" },
    ],
  },
  pet: { type: "string", enum: ["cat", "dog"], enumNames: ["Cat", "Dog"], default: "cat" },
  sizes: { type: "array", items: { type: "string", enum: ["s", "m", "l"] }, minItems: 1, maxItems: 2 },
  fish: {
    type: "array",
    items: {
      anyOf: [
        { const: "t", title: "Tuna" },
        { const: "s", title: "Salmon" },
      ],
    },
    required: false,
  },
} as const satisfies FormFields;

const fit = { name: "Ada", agreed: true, colour: "r", sizes: ["s", "l"] };

test("values that fit come back with defaults for missing ones", () => {
  expect(createFormCheck(fields)(fit)).toEqual({ ok: true, value: { ...fit, age: 30, pet: "cat" } });
});

test.each([
  [{ name: "A" }, "$.name"],
  [{ name: "Adelaide" }, "$.name"],
  [{ name: undefined }, "$.name"],
  [{ age: 30.5 }, "$.age"],
  [{ age: -1 }, "$.age"],
  [{ age: "30" }, "$.age"],
  [{ score: "high" }, "$.score"],
  [{ score: null }, "$.score"],
  [{ agreed: "true" }, "$.agreed"],
  [{ colour: "Red" }, "$.colour"],
  [{ pet: "cow" }, "$.pet"],
  [{ sizes: [] }, "$.sizes"],
  [{ sizes: ["s", "m", "l"] }, "$.sizes"],
  [{ sizes: ["s", "s"] }, "$.sizes"],
  [{ sizes: ["xl"] }, "$.sizes[0]"],
  [{ fish: "t" }, "$.fish"],
  [{ other: 1 }, "$.other"],
])("%j does not fit, and it is said where", (change, path) => {
  const validation = createFormCheck(fields)({ ...fit, ...change });
  expect(validation).toMatchObject({ ok: false, issues: [{ path }] });
});

test.each(["text", 1, [], null, undefined, new Date()])("%j is refused as a form", (answers) => {
  expect(createFormCheck(fields)(answers).ok).toBe(false);
});

test.each([
  ["email", ["ada@example.com", "a.b+c@d"], ["ada", "a@b@c", "a b@c", "@", "a@.", "a@b..c"]],
  ["uri", ["https://example.com/a", "mailto:a@b", "urn:isbn:1"], ["example.com", "//a", "https://a b"]],
  ["date", ["2026-02-28", "2024-02-29"], ["2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "2026-04-31"]],
  [
    "date-time",
    ["2026-01-31T12:00:00Z", "2026-01-31t12:00:00.5+02:00"],
    ["2026-01-31", "2026-01-31T12:00:00", "2026-02-30T12:00:00Z", "2026-01-31T25:00:00Z"],
  ],
] as const)("texts in the format %s are told from others", (format, good, bad) => {
  const check = createFormCheck({ value: { type: "string", format } });
  expect(good.filter((value) => !check({ value }).ok)).toEqual([]);
  expect(bad.filter((value) => check({ value }).ok)).toEqual([]);
});

test.each([
  [{ type: "object" }, "fields.it needs a type"],
  ["string", "fields.it needs a type"],
  [{ type: "array" }, "fields.it.items needs the choices"],
  [{ type: "array", items: { type: "string" } }, "fields.it.items needs the choices"],
  [{ type: "string", enum: [] }, "fields.it needs at least one choice"],
  [{ type: "string", enum: [1] }, "fields.it needs at least one choice"],
  [{ type: "string", enum: "abc" }, "fields.it needs at least one choice"],
  [{ type: "string", enum: ["a"], enumNames: null }, "fields.it needs at least one choice"],
  [{ type: "string", oneOf: [null] }, "fields.it needs at least one choice"],
  [{ type: "array", items: { anyOf: [undefined] } }, "fields.it needs at least one choice"],
  [{ type: "string", title: 5 }, "fields.it.title must be a string"],
  [{ type: "string", description: {} }, "fields.it.description must be a string"],
  [{ type: "string", enum: ["a"], default: "b" }, "default does not fit"],
  [{ type: "string", format: "date", default: "tomorrow" }, "default of fields.it is invalid"],
  [{ type: "integer", minimum: "1" }, "minimum"],
])("a field that no answer fits is refused: %j", (field, message) => {
  expect(() => createFormCheck({ it: field as FormField })).toThrow(message);
});

test.each(["__proto__", "constructor"])("no field can be called %s", (name) => {
  const form = JSON.parse(`{"${name}":{"type":"string"}}`) as FormFields;
  expect(() => createFormCheck(form)).toThrow(`the key ${name}`);
});

test("a form is sent as it was written, with what has to be filled in", () => {
  const { properties, required } = formToJsonSchema({
    ...fields,
    kept: { type: "string", default: "a", required: true },
  });
  expect(required).toEqual(["name", "agreed", "colour", "sizes", "kept"]);
  expect(properties).toMatchObject({ pet: fields.pet, fish: { items: fields.fish.items } });
  expect(JSON.stringify(properties)).not.toContain("required");
});

test("the answer has the types of the fields", () => {
  expectTypeOf<InferFields<typeof fields>>().toEqualTypeOf<{
    name: string;
    age: number;
    score?: number;
    agreed: boolean;
    colour: "r" | "b";
    pet: "cat" | "dog";
    sizes: ("s" | "m" | "l")[];
    fish?: ("t" | "s")[];
  }>();
});
