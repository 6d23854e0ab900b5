import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtinTools } from "../../src/capabilities.ts";
import type { CallResult } from "../../src/index.ts";
import type { DialectTool } from "../../src/kernel/dialects/dialect.ts";
import { toDialectValue } from "../../src/kernel/dialects/dialect-value.ts";
import { dialects } from "../../src/kernel/dialects/dialects.ts";
import { closeSchema } from "../../src/shared/json-schema/close-schema.ts";
import { compileSchema } from "../../src/shared/json-schema/compile-schema.ts";
import type { JsonSchema } from "../../src/shared/json-schema/json-schema.ts";
import { createProviderServer, providerFormats } from "../capabilities/web/tools/web/provider-servers.ts";
import { connectClient, serveForTest } from "../faces/mcp-server/serve-for-test.ts";
import { noSandbox } from "../support/no-sandbox.ts";
import { openTestSession } from "../support/open-test-session.ts";
import { openWeb } from "../support/web/open-web.ts";
import { serveWeb } from "../support/web/test-web.ts";
import { callEveryTool } from "./call-every-tool.ts";

test("every built-in tool has the schema of an object for its output", () => {
  const without = builtinTools.filter(({ outputSchema }) => outputSchema?.type !== "object");
  expect(without.map(({ name }) => name)).toEqual([]);
});

test("real results of every built-in tool match its schema, and have no field that it leaves out", async () => {
  const { calls: plain } = await callEveryTool();
  const { session, origin } = await openWeb({ "/a": "<title>A</title><p>hello</p>" });
  const fetched = { tool: "web_fetch", result: await session.call("web_fetch", { url: `${origin}/a` }) };
  const searched = { tool: "web_search", result: await searchWeb() };
  const sent = {
    tool: "network_request",
    result: await session.call("network_request", { url: `${origin}/a` }),
  };
  const saved = {
    tool: "network_download",
    result: await session.call("network_download", { url: `${origin}/a`, path: "saved" }),
  };
  const calls = [...plain, fetched, searched, sent, saved];
  const done = calls.filter(({ result }) => result.status === "done");
  // Tools are only made where they can be tried in a sandbox.
  const expected = builtinTools.filter(({ name }) => noSandbox === undefined || name !== "tool_create");
  expect(new Set(done.map(({ tool }) => tool))).toEqual(new Set(expected.map(({ name }) => name)));
  const problems = done.flatMap(({ tool, result }) => {
    const { outputSchema } = builtinTools.find(({ name }) => name === tool)!;
    const validation = compileSchema(closeSchema(withoutOpenness(outputSchema!) as JsonSchema))(result.data);
    return validation.ok ? [] : [{ tool, issues: validation.issues.map(({ message }) => message) }];
  });
  expect(problems).toEqual([]);
}, 30_000);

async function searchWeb(): Promise<CallResult> {
  const searxng = providerFormats.find(({ provider }) => provider === "searxng")!;
  const known = { title: "A", url: "https://example.com/a", passage: "About a.", date: "2026-03-04" };
  const { port } = await serveWeb(createProviderServer(searxng, [known]).site);
  const search = { provider: "searxng", url: `http://127.0.0.1:${port}` };
  const web = { proxy: false, lookup: () => ["93.184.216.34"], search } as const;
  const { session } = await openTestSession({ permissions: { mode: "auto" }, web });
  return session.call("web_search", { query: "a" });
}

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
  "in the dialect $name, tools are listed with their output schemas, and keep to them",
  async ({ name: dialect }) => {
    const server = await serveForTest({ options: { dialect, tools: [], permissions: { mode: "auto" } } });
    await mkdir(join(server.workspace, ".skills/greet"), { recursive: true });
    const skill = "---\nname: greet\ndescription: How to greet.\n---\nSay hello.\n";
    await writeFile(join(server.workspace, ".skills/greet/SKILL.md"), skill);
    const session = await server.runtime.openSession();
    const listed = session.tools({ format: "json" });
    expect(listed.filter(({ outputSchema }) => outputSchema === undefined)).toEqual([]);
    const client = await connectClient(server);
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => outputSchema?.type !== "object")).toEqual([]);
    // The client checks what it gets against the schema.
    const rows = dialects.find(({ name }) => name === dialect)!.tools;
    const called = calls.filter(([tool]) => tool === "file_list" || rows[tool]?.result !== undefined);
    for (const [tool, input] of called) {
      const row: DialectTool = rows[tool] ?? { name: tool };
      const given = toDialectInput(input(server.workspace), row);
      const { structuredContent, isError, content } = await client.callTool({
        name: row.name,
        arguments: given,
      });
      expect(isError, JSON.stringify([row.name, given, content])).toBeUndefined();
      const { required = [] } = tools.find(({ name }) => name === row.name)!.outputSchema as JsonSchema;
      expect(Object.keys(structuredContent as object)).toEqual(expect.arrayContaining([...required]));
    }
    const translated = Object.keys(rows).filter((tool) => rows[tool]!.result !== undefined);
    expect(translated.filter((tool) => !calls.some(([name]) => name === tool))).toEqual([]);
  },
);

/** In the tools' own terms; each gives every field that the tool always has. */
const calls: readonly (readonly [tool: string, input: (workspace: string) => Record<string, unknown>])[] = [
  ["file_write", (root) => ({ path: join(root, "a.txt"), content: "one\ntwo\n" })],
  ["file_read", (root) => ({ path: join(root, "a.txt"), offset: 1, limit: 1 })],
  ["file_edit", (root) => ({ path: join(root, "a.txt"), old_string: "one", new_string: "1" })],
  [
    "file_multi_edit",
    (root) => ({ edits: [{ path: join(root, "a.txt"), old_string: "two", new_string: "2" }] }),
  ],
  ["file_list", (root) => ({ path: root })],
  ["search_glob", (root) => ({ pattern: "*.txt", path: root })],
  ["search_grep", (root) => ({ pattern: "1", path: root })],
  ["shell_run", () => ({ command: "echo out", run_in_background: false })],
  ["skill_load", () => ({ name: "greet" })],
];

function toDialectInput(
  input: Record<string, unknown>,
  { params = {}, ownParams = {} }: Pick<DialectTool, "params" | "ownParams">,
): Record<string, unknown> {
  const own = Object.entries(ownParams).filter(([, { isRequired }]) => isRequired);
  const given = Object.entries(input).flatMap(([name, value]) => {
    const param = params[name] === undefined ? {} : params[name];
    if (param === null || "fixed" in param) return [];
    const inner = param.items;
    const translated =
      inner !== undefined && Array.isArray(value)
        ? value.map((item) => toDialectInput(item as Record<string, unknown>, { params: inner }))
        : toDialectValue(value, param);
    return [[param.name ?? name, translated]];
  });
  return Object.fromEntries([...own.map(([name, { schema }]) => [name, schema.enum?.[0]]), ...given]);
}
