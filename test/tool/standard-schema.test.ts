import { describe, expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "../../src/tool/index.ts";
import { createCheckedSchema, type RenderableSchema } from "../../src/tool/input-schema.ts";

async function validate(schema: unknown, value: unknown) {
  return createCheckedSchema(schema as RenderableSchema).validate(value);
}

async function accepts(schema: unknown, value: unknown) {
  return (await validate(schema, value)).ok;
}

async function messages(schema: unknown, value: unknown) {
  const validation = await validate(schema, value);
  return validation.ok ? [] : validation.issues.map((issue) => issue.message);
}

const a = z.object({ a: z.string() });
const b = z.object({ b: z.string() });

describe("unknown keys are refused unless the schema is open", () => {
  const tree: z.ZodType = z.object({ v: z.string(), kids: z.lazy(() => z.array(tree)) });
  const named = z.object({ n: z.string() }).meta({ id: "Named" });
  const closed: [string, z.ZodType, unknown, unknown][] = [
    ["z.object", a, { a: "x" }, { a: "x", b: 1 }],
    ["z.strictObject", z.strictObject({ a: z.string() }), { a: "x" }, { a: "x", b: 1 }],
    ["z.union", z.union([a, b]), { b: "x" }, { b: "x", c: 1 }],
    [
      "z.discriminatedUnion",
      z.discriminatedUnion("k", [a.extend({ k: z.literal("a") }), b.extend({ k: z.literal("b") })]),
      { k: "b", b: "x" },
      { k: "b", b: "x", a: "y" },
    ],
    ["z.intersection", z.intersection(a, b), { a: "x", b: "y" }, { a: "x", b: "y", c: 1 }],
    [
      "an intersection of a named schema",
      z.object({ x: named, y: named.and(a) }),
      { x: { n: "" }, y: { n: "", a: "" } },
      { x: { n: "", a: "" }, y: { n: "", a: "" } },
    ],
    [
      "z.lazy",
      tree,
      { v: "x", kids: [{ v: "y", kids: [] }] },
      { v: "x", kids: [{ v: "y", kids: [], w: 1 }] },
    ],
    ["a nested optional", z.object({ o: a.optional() }), { o: { a: "x" } }, { o: { a: "x", b: 1 } }],
  ];
  test.each(closed)("%s", async (_name, schema, known, unknown) => {
    expect(await messages(schema, known)).toEqual([]);
    expect(await accepts(schema, unknown)).toBe(false);
  });

  const open: [string, z.ZodType, unknown][] = [
    ["z.looseObject", z.looseObject({ a: z.string() }), { a: "x", b: 1 }],
    ["z.record", z.record(z.string(), z.number()), { anything: 1 }],
    ["catchall", a.catchall(z.number()), { a: "x", other: 1 }],
  ];
  test.each(open)("%s", async (_name, schema, value) => {
    expect(await validate(schema, value)).toEqual({ ok: true, value });
  });
});

describe("what Zod adds to the shape", () => {
  test("optional, nullable, enum and default", async () => {
    const schema = z.object({
      o: z.string().optional(),
      n: z.string().nullable(),
      e: z.enum(["x", "y"]).default("x"),
    });
    expect(await validate(schema, { n: null })).toEqual({ ok: true, value: { n: null, e: "x" } });
    expect(await messages(schema, { n: 1, e: "z" })).toEqual([
      "$.n must be a string or null; received 1",
      '$.e must be one of "x", "y"; received "z"',
    ]);
    expect(createCheckedSchema(schema).json.required).toEqual(["n"]);
  });

  test("refinements are reported with their path and what was received", async () => {
    const schema = z.object({
      list: z.array(z.object({ "a b": z.number().refine((n) => n % 2 === 0, "must be even") })),
    });
    expect(await messages(schema, { list: [{ "a b": 3 }] })).toEqual([
      '$.list[0]["a b"]: must be even; received 3',
    ]);
  });

  test("asynchronous refinements are waited for", async () => {
    const schema = z.object({ a: z.string().refine(async (text) => text !== "taken", "is taken") });
    expect(await messages(schema, { a: "taken" })).toEqual(['$.a: is taken; received "taken"']);
    expect(await accepts(schema, { a: "free" })).toBe(true);
  });

  test("transforms give run what they make", async () => {
    const schema = z.object({ tags: z.string().transform((text) => new Set(text.split(","))) });
    expect(await validate(schema, { tags: "a,b" })).toEqual({
      ok: true,
      value: { tags: new Set(["a", "b"]) },
    });
  });

  test("a default of a transform is what run gets", async () => {
    const schema = z.object({ n: z.string().transform(Number).default(5) });
    expect(await validate(schema, {})).toEqual({ ok: true, value: { n: 5 } });
    expect(await validate(schema, { n: "7" })).toEqual({ ok: true, value: { n: 7 } });
  });

  test("a default is given as it is written, past the rules for given values", async () => {
    const schema = z.object({ name: z.string().toUpperCase().default("nobody") });
    expect(await validate(schema, {})).toEqual({ ok: true, value: { name: "nobody" } });
    expect(await validate(schema, { name: "me" })).toEqual({ ok: true, value: { name: "ME" } });
  });

  test("coercion reads what is of another type, but lets no unknown key pass", async () => {
    const schema = z.object({
      n: z.coerce.number(),
      p: z.preprocess((it) => it ?? 0, z.number().nullable()),
    });
    expect(await validate(schema, { n: "5", p: 1 })).toEqual({ ok: true, value: { n: 5, p: 1 } });
    expect(await messages(schema, { n: "five", p: 1 })).toEqual(['$.n must be a number; received "five"']);
    expect(await accepts(schema, { n: "5", p: 1, other: 1 })).toBe(false);
    expect(await accepts(z.object({ n: z.number() }), { n: "5" })).toBe(false);
  });

  test("the inside of a default is never shared between calls", async () => {
    const schema = z.object({ o: z.object({ list: z.array(z.number()) }).default({ list: [] }) });
    const { validate: check } = createCheckedSchema(schema);
    const first = await check({});
    if (first.ok) (first.value as { o: { list: number[] } }).o.list.push(1);
    expect(await check({})).toEqual({ ok: true, value: { o: { list: [] } } });
  });

  test("descriptions are kept at every level", () => {
    const schema = z.object({
      outer: z.object({ inner: z.array(z.string().describe("each")).describe("many") }).describe("one"),
    });
    expect(createCheckedSchema(schema).json).toMatchObject({
      properties: {
        outer: {
          description: "one",
          properties: { inner: { description: "many", items: { description: "each" } } },
        },
      },
    });
  });
});

test("a union of objects is an input, and says that it is an object", () => {
  const define = (input: z.ZodType) => defineTool({ name: "t", description: "T.", input, run: () => "" });
  expect(define(z.union([a, b])).inputSchema.type).toBe("object");
  expect(
    define(z.discriminatedUnion("k", [a.extend({ k: z.literal(1) }), b.extend({ k: z.literal(2) })]))
      .inputSchema.type,
  ).toBe("object");
  expect(() => define(z.union([a, z.string()]))).toThrow(/the input must be an object/);
});

describe("a schema no model could be told of is refused at definition", () => {
  test("z.date, by name", () => {
    expect(() => createCheckedSchema(z.object({ when: z.date() }))).toThrow(
      "zod cannot render this schema as JSON Schema: Date cannot be represented in JSON Schema",
    );
  });

  test("a Standard Schema without the JSON Schema extension", () => {
    const plain = { "~standard": { version: 1, vendor: "tiny", validate: (value: unknown) => ({ value }) } };
    expect(() => createCheckedSchema(plain as never)).toThrow(
      /this tiny schema cannot render itself as JSON Schema.*use Zod 4\.2 or newer/,
    );
  });
});

test("a schema library may be a function, as ArkType's are", async () => {
  const schema = Object.assign(() => {}, {
    "~standard": {
      version: 1,
      vendor: "callable",
      validate: (value: unknown) => ({ value }),
      jsonSchema: {
        input: () => ({ type: "object", properties: { a: { type: "string" } } }),
        output: () => ({}),
      },
    },
  });
  expect(await accepts(schema, { a: "x" })).toBe(true);
  expect(await accepts(schema, { b: "x" })).toBe(false);
});
