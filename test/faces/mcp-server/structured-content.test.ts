import { expect, test } from "vitest";
import { defineTool, type Hooks, type JsonSchema } from "../../../src/index.ts";
import { openTestSession } from "../../support/open-test-session.ts";
import { connectClient, serveForTest } from "./serve-for-test.ts";

const protocols = ["2026-07-28", "2025-11-25", "2024-11-05"];

const tree: JsonSchema = {
  $id: "https://example.com/tree",
  type: "array",
  items: { anyOf: [{ $ref: "#" }, { $ref: "#/$defs/leaf" }] },
  $defs: { leaf: { type: "number" } },
};
const outputs: readonly [string, JsonSchema, unknown][] = [
  ["object", { type: "object", properties: { a: { type: "number" } }, required: ["a"] }, { a: 1 }],
  ["nested", { type: "object", properties: { a: { $ref: "#" } } }, { a: { a: {} } }],
  ["list", { type: "array", items: { type: "number" } }, [1, 2]],
  ["text", { type: "string" }, "hello"],
  ["number", { type: "number" }, 3],
  ["truth", { type: "boolean" }, false],
  ["nothing", { type: "null" }, null],
  ["choice", { anyOf: [{ type: "object" }, { type: "array" }] }, { b: 2 }],
  ["tree", tree, [1, [2, [3]]]],
];
const tools = outputs.map(([name, output, value]) =>
  defineTool({ name, description: name, params: {}, output, traits: { readOnly: true }, run: () => value }),
);
const isObject = (name: string) => name === "object" || name === "nested";

test("structured content is an object whatever a tool returns, in every version of the protocol", async () => {
  const server = await serveForTest({ options: { tools } });
  for (const protocol of protocols) {
    const client = await connectClient(server, { protocol });
    // From here on the client checks every result against what was listed.
    const listed = await client.listTools();
    const schemas = new Map(listed.tools.map(({ name, outputSchema }) => [name, outputSchema]));
    for (const [name, , value] of outputs) {
      const { structuredContent } = await client.callTool({ name, arguments: {} });
      expect(structuredContent, name).toEqual(isObject(name) ? value : { result: value });
      expect(schemas.get(name), name).toMatchObject({ type: "object" });
    }
  }
});

const answers: readonly [string, unknown][] = [
  ["plain words", "not today"],
  ["data of another kind", { other: true }],
  ["a list", [true]],
];
test.each(["beforeCall", "afterCall"] as const)(
  "a client accepts whatever a hook %s answers",
  async (stage) => {
    let answer: unknown;
    const answering: Hooks =
      stage === "beforeCall"
        ? { beforeCall: () => ({ decision: "answer", result: answer }) }
        : { afterCall: () => ({ decision: "replace", result: answer }) };
    const server = await serveForTest({ options: { tools, hooks: answering } });
    for (const protocol of ["2026-07-28", "2025-06-18"]) {
      const client = await connectClient(server, { protocol });
      await client.listTools();
      for (const [kind, value] of answers) {
        answer = value;
        for (const name of ["object", "number", "tree", "file_list"]) {
          const { structuredContent, content, isError } = await client.callTool({ name, arguments: {} });
          expect(isError, `${kind} from ${name}`).toBeUndefined();
          expect(structuredContent).toEqual({ result: value });
          if (typeof value === "string") expect(content).toEqual([{ type: "text", text: value }]);
        }
      }
    }
  },
);

test("with hooks that only watch, a tool's own output stays as it is", async () => {
  const server = await serveForTest({ options: { tools, hooks: { afterCall: () => {} } } });
  const client = await connectClient(server);
  await client.listTools();
  for (const [name, , value] of outputs) {
    const { structuredContent } = await client.callTool({ name, arguments: {} });
    expect(structuredContent, name).toEqual(isObject(name) ? value : { result: value });
  }
});

test("a session's own answers to MCP requests have the same form", async () => {
  const { session } = await openTestSession({ tools });
  const listed = session.tools({ format: "mcp" });
  for (const [name, , value] of outputs) {
    const [answer] = await session.handle({ method: "tools/call", params: { name, arguments: {} } });
    expect(answer, name).toMatchObject({ structuredContent: isObject(name) ? value : { result: value } });
    expect(listed.find((tool) => tool.name === name)?.outputSchema).toMatchObject({ type: "object" });
  }
});

test("clients are told of standard formats only", async () => {
  const dated = defineTool({
    name: "dated",
    description: "x",
    params: {
      day: { type: "string", format: "date" },
      file: { type: "string", format: "path", default: "a" },
    },
    traits: { readOnly: true },
    run: () => "",
  });
  const client = await connectClient(await serveForTest({ options: { tools: [dated] } }));
  const { tools: listed } = await client.listTools();
  expect(listed.length).toBeGreaterThan(30);
  const formats = JSON.stringify(listed).matchAll(/"format":"([^"]+)"/g);
  expect([...new Set([...formats].map(([, format]) => format))]).toEqual(["date"]);
  const { properties } = listed.find(({ name }) => name === "dated")!.inputSchema;
  expect(properties).toMatchObject({ day: { format: "date" }, file: { type: "string", default: "a" } });
});
