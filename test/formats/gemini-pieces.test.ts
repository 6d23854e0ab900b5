import { expect, test } from "vitest";
import { createCallAssembler } from "../../src/capabilities/interop/index.ts";
import { fc } from "../support/fuzz.ts";
import { openTestSession } from "../support/open-test-session.ts";
import { echo } from "../support/sample-tools.ts";

function chunk(functionCall: object, more: object = {}): object {
  return { candidates: [{ content: { role: "model", parts: [{ functionCall, ...more }] } }] };
}

function assemble(chunks: readonly unknown[]) {
  const assembler = createCallAssembler();
  for (const each of chunks) assembler.add(each);
  return assembler.finish();
}

function pieces(...partialArgs: object[]): object {
  return chunk({ partialArgs, willContinue: true });
}

const begin = chunk({ name: "echo", willContinue: true }, { thoughtSignature: "signed" });
const end = chunk({});

test("a call whose arguments come in pieces is put together, shown as it grows, and run", async () => {
  const assembler = createCallAssembler();
  assembler.add(begin);
  assembler.add(pieces({ jsonPath: "$.text", stringValue: "New ", willContinue: true }));
  expect(assembler.calls()).toEqual([{ name: "echo", input: { text: "New " }, isComplete: false }]);
  assembler.add(pieces({ jsonPath: "$.text", stringValue: "Delhi", willContinue: true }));
  assembler.add(pieces({ jsonPath: "$.text" }));
  assembler.add(end);
  expect(assembler.calls()).toEqual([{ name: "echo", input: { text: "New Delhi" }, isComplete: true }]);
  const assembled = assembler.finish();
  // Nothing of the pieces, which are not taken back, and the signature, which has to be.
  expect(assembled.message).toEqual({
    role: "model",
    parts: [{ functionCall: { name: "echo", args: { text: "New Delhi" } }, thoughtSignature: "signed" }],
  });
  const { session } = await openTestSession({ tools: [echo] });
  expect(await session.handle(assembled)).toMatchObject([
    { role: "user", parts: [{ functionResponse: { name: "echo", response: { output: "New Delhi" } } }] },
  ]);
});

test("values of every kind find their places", () => {
  const { calls } = assemble([
    begin,
    pieces({ jsonPath: "$.number", numberValue: 0 }, { jsonPath: "$.yes", boolValue: false }),
    pieces({ jsonPath: "$.nothing", nullValue: "NULL_VALUE" }, { jsonPath: "$.none", nullValue: null }),
    pieces(
      { jsonPath: "$.list[0].name", stringValue: "a" },
      { jsonPath: "$.list[1].name", stringValue: "b" },
    ),
    pieces({ jsonPath: "$.list[]" }, { jsonPath: "$.emptyList[]" }, { jsonPath: "$.emptyObject" }),
    pieces({ jsonPath: "$.grid[0][0]", numberValue: 1 }, { jsonPath: "$.grid[0][1]", numberValue: 2 }),
    pieces(
      { jsonPath: `$['it\\'s']["a.b[0]"]`, stringValue: "" },
      { jsonPath: "$.__proto__.x", boolValue: true },
    ),
    end,
  ]);
  const input = JSON.parse(
    `{"number":0,"yes":false,"nothing":null,"none":null,"list":[{"name":"a"},{"name":"b"}],"emptyList":[],
      "emptyObject":{},"grid":[[1,2]],"it's":{"a.b[0]":""},"__proto__":{"x":true}}`,
  );
  expect(calls).toEqual([{ name: "echo", input }]);
  expect(({} as { x?: unknown }).x).toBeUndefined();
});

test("several calls one after the other, with and without pieces, keep apart", () => {
  const { calls } = assemble([
    begin,
    pieces({ jsonPath: "$.a", numberValue: 1 }),
    end,
    chunk({ name: "whole", args: { b: 2 } }),
    chunk({ name: "nothing" }),
    chunk({ name: "short", partialArgs: [{ jsonPath: "$.c", numberValue: 3 }] }),
    chunk({ name: "empty", args: {}, willContinue: true }),
    end,
    end,
  ]);
  expect(calls).toEqual([
    { name: "echo", input: { a: 1 } },
    { name: "whole", input: { b: 2 } },
    { name: "nothing", input: {} },
    { name: "short", input: { c: 3 } },
    { name: "empty", input: {} },
  ]);
});

test("pieces that name their call are of that call", () => {
  const { calls } = assemble([
    chunk({ id: "1", name: "x", willContinue: true }),
    chunk({ id: "2", name: "y", willContinue: true }),
    chunk({ id: "1", partialArgs: [{ jsonPath: "$.a", numberValue: 1 }], willContinue: true }),
    chunk({ id: "2", name: "y", partialArgs: [{ jsonPath: "$.b", numberValue: 2 }] }),
    chunk({ id: "1" }),
  ]);
  expect(calls).toEqual([
    { id: "1", name: "x", input: { a: 1 } },
    { id: "2", name: "y", input: { b: 2 } },
  ]);
});

test("pieces that name another call never get into the last one", () => {
  const { calls } = assemble([
    chunk({ id: "1", name: "x", willContinue: true }),
    chunk({ id: "2", name: "y", willContinue: true }),
    chunk({ id: "1", partialArgs: [{ jsonPath: "$.a", numberValue: 1 }] }),
    chunk({ id: "1", partialArgs: [{ jsonPath: "$.late", numberValue: 1 }] }),
    chunk({ id: "3", partialArgs: [{ jsonPath: "$.unknown", numberValue: 1 }] }),
    chunk({ id: "2", partialArgs: [{ jsonPath: "$.b", numberValue: 2 }] }),
  ]);
  expect(calls).toEqual([
    { id: "1", name: "x", input: { a: 1, late: 1 } },
    { id: "2", name: "y", input: { b: 2 } },
  ]);
});

test.each([
  ["no end", [begin, pieces({ jsonPath: "$.a", stringValue: "b" })]],
  [
    "an open text",
    [begin, chunk({ partialArgs: [{ jsonPath: "$.a", stringValue: "b", willContinue: true }] })],
  ],
  [
    "no more tokens",
    [
      begin,
      pieces({ jsonPath: "$.a", stringValue: "b" }),
      end,
      { candidates: [{ finishReason: "MAX_TOKENS" }] },
    ],
  ],
])("a call that breaks off is not run: %s", (_what, chunks) => {
  expect(assemble(chunks).calls).toMatchObject([{ inputProblem: expect.stringContaining("are cut off") }]);
});

test.each([
  ["no path", { stringValue: "a" }],
  ["the whole", { jsonPath: "$", stringValue: "a" }],
  ["any place", { jsonPath: "$.*", stringValue: "a" }],
  ["a list's end", { jsonPath: "$.list[-1]", stringValue: "a" }],
  ["a far place", { jsonPath: "$.list[100000]", numberValue: 1 }],
  ["a place in a text", { jsonPath: "$.text.inside", stringValue: "a" }],
  ["a member of a list", { jsonPath: "$.list.name", stringValue: "a" }],
  ["another kind", { jsonPath: "$.number", stringValue: "a" }],
  ["a second value", { jsonPath: "$.number", numberValue: 2 }],
  ["too deep", { jsonPath: `$${".a".repeat(1000)}`, numberValue: 2 }],
])("pieces that do not fit together are told to the model and not run: %s", (_what, piece) => {
  const first = [
    { jsonPath: "$.number", numberValue: 1 },
    { jsonPath: "$.text", stringValue: "a" },
    { jsonPath: "$.list[0]", numberValue: 1 },
  ];
  expect(assemble([begin, pieces(...first, piece), end]).calls).toMatchObject([
    { input: { number: 1, text: "a" }, inputProblem: expect.stringContaining("do not fit together") },
  ]);
});

test("a piece of a call that was not put together is not run", async () => {
  const { session } = await openTestSession({ tools: [echo] });
  const functionCall = { name: "echo", args: { text: "half" }, willContinue: true };
  expect(await session.handle({ role: "model", parts: [{ functionCall }] })).toMatchObject([
    { parts: [{ functionResponse: { response: { error: expect.stringContaining("are cut off") } } }] },
  ]);
});

test("arguments in pieces come to the same as in one piece, whatever they are", () => {
  const name = fc.string({ unit: "grapheme", maxLength: 5 });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      tie("list"),
      tie("object"),
    ),
    list: fc.array(tie("value"), { maxLength: 3 }),
    object: fc.dictionary(name, tie("value"), { maxKeys: 3 }),
  }));
  fc.assert(
    fc.property(fc.dictionary(name, value, { maxKeys: 4 }), (given) => {
      const input = JSON.parse(JSON.stringify(given));
      expect(assemble([begin, ...takeApart("$", input).map((piece) => pieces(piece)), end]).calls).toEqual([
        { name: "echo", input },
      ]);
    }),
  );
});

/** As it is sent: each value by itself, texts letter by letter. */
function takeApart(jsonPath: string, value: unknown): object[] {
  if (typeof value === "string") {
    return [...value, ""].map((stringValue) => ({ jsonPath, stringValue, willContinue: stringValue !== "" }));
  }
  if (typeof value === "number") return [{ jsonPath, numberValue: value }];
  if (typeof value === "boolean") return [{ jsonPath, boolValue: value }];
  if (value === null) return [{ jsonPath, nullValue: "NULL_VALUE" }];
  if (Array.isArray(value)) {
    return [
      ...value.flatMap((item, index) => takeApart(`${jsonPath}[${index}]`, item)),
      { jsonPath: `${jsonPath}[]` },
    ];
  }
  const members = Object.entries(value as object).flatMap(([name, member]) =>
    takeApart(`${jsonPath}[${JSON.stringify(name)}]`, member),
  );
  return members.length === 0 && jsonPath !== "$" ? [{ jsonPath }] : members;
}
