import { expect, test } from "vitest";
import { toCommonSchema } from "../../../src/formats/schemas/common-schema.ts";
import { defineTool } from "../../../src/index.ts";
import { compileSchema } from "../../../src/shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../../src/shared/json-schema/json-schema.ts";
import { modelNames, serveModel } from "../../support/model-server/serve-model.ts";
import { openTestSession } from "../../support/open-test-session.ts";

/** Forms that schemas of others come in, each in a property of its own. */
const odd = {
  type: "object",
  properties: {
    described: { $ref: "#/$defs/color", description: "Which one" },
    alone: { $ref: "#/$defs/color" },
    tree: { $ref: "#/$defs/node", description: "All of it" },
    list: { type: "array" },
    anything: true,
    anyList: { type: "array", items: true },
    level: { enum: [1, 2, 3] },
    only: { const: "this" },
    maybe: { type: ["string", "null"] },
    empty: { type: "object" },
    choice: { oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    pair: { type: "array", prefixItems: [{ type: "string" }, { type: "number" }] },
    closedPair: { type: "array", prefixItems: [{ type: "string" }], items: false },
    open: { type: "object", required: ["key"] },
    $filter: { type: "string", description: "As in OData" },
  },
  required: ["described"],
  additionalProperties: false,
  $defs: {
    color: { type: "string", enum: ["red", "blue"] },
    node: {
      type: "object",
      properties: { children: { type: "array", items: { $ref: "#/$defs/node", title: "Child" } } },
    },
  },
} as const satisfies JsonSchema;

const values: unknown[] = [
  {},
  { described: "red" },
  { described: "green" },
  { described: "red", alone: "green" },
  { described: "red", tree: { children: [{ children: [] }] } },
  { described: "red", tree: { children: [{ children: 1 }] } },
  { described: "red", list: [1, "two"], anyList: [null], anything: 5 },
  { described: "red", list: "none" },
  { described: "red", open: {} },
  { described: "red", open: { key: [1] } },
  { described: "red", pair: [1, 2] },
  { described: "red", pair: ["one", 2, "more"] },
  { described: "red", closedPair: ["one"] },
  { described: "red", closedPair: ["one", "more"] },
];

test("a schema in the form that all vendors take means the same", () => {
  const before = compileSchema(odd);
  const { $filter: _odd, ...properties } = odd.properties;
  const after = compileSchema(toCommonSchema({ ...odd, properties }));
  for (const value of values) expect([value, after(value).ok]).toEqual([value, before(value).ok]);
  expect(values.map((value) => before(value).ok)).toContain(true);
  expect(values.map((value) => before(value).ok)).toContain(false);
});

test("a schema that has that form already stays as it is", () => {
  const plain = {
    type: "object",
    properties: { list: { type: "array", items: { type: "string" } } },
  } as const;
  expect(toCommonSchema(plain)).toEqual(plain);
});

test("a property with a name that vendors refuse is told of in words, and there is room for it", () => {
  const schema = {
    type: "object",
    description: "Finds.",
    properties: { $filter: { type: "string" }, top: { type: "integer" } },
    required: ["$filter", "top"],
    additionalProperties: false,
  } as const;
  expect(toCommonSchema(schema)).toEqual({
    type: "object",
    description: 'Finds.\nAlso accepts the property "$filter" (required): {"type":"string"}',
    properties: { top: { type: "integer" } },
    required: ["top"],
    additionalProperties: true,
  });
});

test.each(modelNames)("%s takes a tool whose schema has odd forms", async (name) => {
  const tool = defineTool({
    name: "odd",
    description: "Takes all kinds of things.",
    input: odd,
    traits: { readOnly: true, deferrable: false },
    run: () => "taken",
  });
  const { model, requests } = await serveModel(name, [
    { calls: [{ name: "odd", input: { described: "red", $filter: "x eq 1" } }] },
    { text: "done" },
  ]);
  const { runtime } = await openTestSession({ tools: [tool], permissions: { mode: "auto" } });
  expect(await runtime.agent({ model }).run("go")).toMatchObject({ reason: "done" });
  expect(requests.flatMap(({ problems }) => problems)).toEqual([]);
  expect(await runtime.receipts()).toMatchObject([{ tool: "odd", status: "done" }]);
});
