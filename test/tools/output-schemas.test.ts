import { expect, test } from "vitest";
import { dialects } from "../../src/runtime/dialects/dialects.ts";
import { closeSchema } from "../../src/shared/json-schema/close-schema.ts";
import { compileSchema } from "../../src/shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../src/shared/json-schema/json-schema.ts";
import { builtinTools } from "../../src/tools/index.ts";
import { connectClient, serveForTest } from "../mcp/server/serve-for-test.ts";
import { openWeb } from "../support/web/open-web.ts";
import { callEveryTool } from "./call-every-tool.ts";

test("every built-in tool has the schema of an object for its output", () => {
  const without = builtinTools.filter(({ outputSchema }) => outputSchema?.type !== "object");
  expect(without.map(({ name }) => name)).toEqual([]);
});

test("real results of every built-in tool match its schema, and have no field that it leaves out", async () => {
  const { calls: plain } = await callEveryTool();
  const { session, origin } = await openWeb({ "/a": "<title>A</title><p>hello</p>" });
  const fetched = { tool: "web_fetch", result: await session.call("web_fetch", { url: `${origin}/a` }) };
  const calls = [...plain, fetched];
  const done = calls.filter(({ result }) => result.status === "done");
  expect(new Set(done.map(({ tool }) => tool))).toEqual(new Set(builtinTools.map(({ name }) => name)));
  const problems = done.flatMap(({ tool, result }) => {
    const { outputSchema } = builtinTools.find(({ name }) => name === tool)!;
    const validation = compileSchema(closeSchema(withoutOpenness(outputSchema!) as JsonSchema))(result.data);
    return validation.ok ? [] : [{ tool, issues: validation.issues.map(({ message }) => message) }];
  });
  expect(problems).toEqual([]);
}, 30_000);

/** Schemas take fields that later versions may add; here they are to be complete. */
function withoutOpenness(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutOpenness);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).filter(
    ([key, value]) => key !== "additionalProperties" || value !== true,
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutOpenness(value)]));
}

test.each(dialects)(
  "in the dialect $name, tools are listed with their output schemas",
  async ({ name: dialect }) => {
    const server = await serveForTest({ options: { dialect, tools: [] } });
    const session = await server.runtime.openSession();
    const listed = session.tools({ format: "json" });
    expect(listed.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
    const client = await connectClient(server);
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema?.type !== "object")).toEqual([]);
    // The client checks what it gets against the schema.
    const list = dialect === "flyto" ? "file_list" : "internal_file_list";
    const { structuredContent } = await client.callTool({ name: list, arguments: {} });
    expect(structuredContent).toMatchObject({ entries: [], truncated: false });
  },
);
