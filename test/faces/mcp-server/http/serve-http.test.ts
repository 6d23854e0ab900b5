import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { defineTool } from "../../../../src/index.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";
import { connectClient, serveForTest } from "../serve-for-test.ts";

const patience = { timeout: 45_000 };
const protocols = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

test.each(protocols)("a client by protocol %s lists and calls tools", async (protocol) => {
  const server = await serveForTest();
  const client = await connectClient(server, { protocol });
  expect(client.getNegotiatedProtocolVersion()).toBe(protocol);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(["echo", "Read", "file_list"]));
  const result = await client.callTool({ name: "echo", arguments: { text: "hello" } });
  expect(result).toMatchObject({
    content: [{ type: "text", text: "hello" }],
    structuredContent: { said: "hello" },
  });
  expect(server.errors).toEqual([]);
});

test("a client that negotiates ends up with the current protocol", async () => {
  const server = await serveForTest();
  const client = await connectClient(server, { protocol: "2026-07-28" });
  expect(client.getServerVersion()).toMatchObject({ name: "toolwright", version: "1.2.3" });
});

test("a tool is listed with title, annotations, and both schemas as they are", async () => {
  const server = await serveForTest();
  const client = await connectClient(server);
  const { tools } = await client.listTools();
  const all = (await server.runtime.openSession({ id: "other" })).tools();
  const own = all.filter(({ denied }) => denied === undefined);
  const { inputSchema, outputSchema } = own.find(({ name }) => name === "echo")!;
  expect(tools.find(({ name }) => name === "echo")).toEqual({
    name: "echo",
    title: "Echo",
    description: "Say it again",
    inputSchema,
    outputSchema,
    annotations: {
      title: "Echo",
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    _meta: { "toolwright/safetyLevel": 0, "toolwright/safety": "changes-nothing" },
  });
  expect(tools.find(({ name }) => name === "file_list")?.title).toBe("File list");
  expect(tools).toHaveLength(own.length);
});

test("the catalogue is in the session's dialect", async () => {
  const server = await serveForTest({ options: { dialect: "internal" } });
  const client = await connectClient(server);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain("internal_file_read");
  await writeFile(join(server.workspace, "a.txt"), "in the file\n");
  const result = await client.callTool({ name: "internal_file_read", arguments: { path: "a.txt" } });
  expect(textOf(result)).toContain("in the file");
});

test("a client keeps its dialect when the server starts again, unless the server is told another", async () => {
  const workspace = await temporaryFolder();
  const store = `sqlite:${join(await temporaryFolder(), "store.db")}`;
  const firstToolOf = async (http: { dialect?: string }) => {
    const server = await serveForTest({ options: { workspace, store }, http });
    const client = await connectClient(server);
    const { tools } = await client.listTools();
    await server.close();
    await server.runtime.close();
    return tools[0]!.name;
  };
  expect(await firstToolOf({ dialect: "kode" })).toBe("fs_read");
  expect(await firstToolOf({})).toBe("fs_read");
  expect(await firstToolOf({ dialect: "pulse" })).toBe("read");
});

test("images, failures, unknown tools, invalid input and refusals are results, never protocol errors", async () => {
  const server = await serveForTest();
  const client = await connectClient(server);
  expect(await client.callTool({ name: "picture" })).toMatchObject({
    content: [
      { type: "text", text: "look" },
      { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" },
    ],
  });
  const cases = [
    [{ name: "break" }, "tool-failed", "it broke"],
    [{ name: "ecko" }, "unknown-tool", "echo"],
    [{ name: "echo", arguments: { text: 7 } }, "invalid-input", "text"],
    [{ name: "file_write", arguments: { path: "a", content: "b" } }, "approval-needed", "--mode"],
    [{ name: "file_read", arguments: { path: "/etc/shadow" } }, "permission-denied", "workspace"],
  ] as const;
  for (const [call, code, words] of cases) {
    const result = await client.callTool(call as Parameters<Client["callTool"]>[0]);
    expect(result).toMatchObject({ isError: true, _meta: { "toolwright/error": { code } } });
    expect(textOf(result)).toContain(words);
  }
  expect(server.errors).toEqual([]);
});

test.each(["2026-07-28", "2025-11-25"])(
  "progress comes in order and before the result, by %s",
  async (protocol) => {
    const server = await serveForTest();
    const client = await connectClient(server, { protocol });
    const seen: unknown[] = [];
    const onprogress = (progress: unknown) => {
      seen.push(progress);
      server.sample.takeStep();
    };
    const result = await client.callTool({ name: "steps" }, { onprogress });
    expect(textOf(result)).toBe("arrived");
    expect(seen).toEqual([1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })));
  },
);

test("output of a command comes as progress, unchanged", async () => {
  const server = await serveForTest();
  const client = await connectClient(server);
  const seen: unknown[] = [];
  await client.callTool(
    { name: "shell_run", arguments: { command: "echo one" } },
    { onprogress: ({ message }) => seen.push(message) },
  );
  expect(seen).toEqual(["one\n"]);
});

test.each(["2026-07-28", "2025-11-25"])(
  "a call that the client cancels is cancelled, by %s",
  async (protocol) => {
    const server = await serveForTest();
    const client = await connectClient(server, { protocol });
    const controller = new AbortController();
    const starts = server.sample.hangStarts();
    const call = client.callTool({ name: "hang" }, { signal: controller.signal });
    await starts;
    controller.abort("enough");
    await expect(call).rejects.toThrow();
    await expect
      .poll(() => lastReceipt(server), patience)
      .toMatchObject({ tool: "hang", status: "cancelled" });
    expect(server.sample.running).toBe(0);
  },
);

test("the caller is in the receipt: the client's name, the way it came and its token's name", async () => {
  const server = await serveForTest();
  const client = await connectClient(server);
  await client.callTool({ name: "echo", arguments: { text: "hello" } });
  expect(await lastReceipt(server)).toMatchObject({
    sessionId: "mcp-laptop",
    caller: { kind: "mcp", name: "test client", transport: "http", token: "laptop" },
  });
  expect(JSON.stringify(await lastReceipt(server))).not.toContain(server.token);
});

test("each token is a session of its own, and sees nothing of the others' receipts", async () => {
  const server = await serveForTest();
  const laptop = await connectClient(server);
  const other = await connectClient({ url: server.url, token: await server.tokens.ensure("other") });
  await laptop.callTool({ name: "echo", arguments: { text: "mine" } });
  await other.callTool({ name: "echo", arguments: { text: "theirs" } });
  const [uri] = (await laptop.listResources()).resources.map((resource) => resource.uri);
  expect((await laptop.listResources()).resources).toHaveLength(1);
  expect((await laptop.readResource({ uri: uri! })).contents[0]).toMatchObject({
    text: expect.stringContaining('"mine"'),
  });
  await expect(other.readResource({ uri: uri! })).rejects.toThrow();
  const sessions = (await server.runtime.sessions()).map(({ id }) => id).sort();
  expect(sessions).toEqual(["mcp-laptop", "mcp-other"]);
});

test("output that a command's answer leaves out is read by a client with the tools it has, or as a resource without secrets", async () => {
  const server = await serveForTest({
    options: {
      sandbox: "off",
      permissions: { mode: "auto" },
      secrets: ["correct-horse"],
      output: { maxCharacters: 5000 },
    },
  });
  const client = await connectClient(server);
  const command = "seq 1 3000; echo correct-horse; seq 1 3000";
  const result = await client.callTool({ name: "Bash", arguments: { command } });
  expect(result._meta).toMatchObject({ "toolwright/truncated": true });
  const [, path, offset] =
    /The full output is in (\S+); read what is missing with Read, offset=(\d+)\.$/.exec(textOf(result))!;
  const input = { file_path: path, offset: Number(offset) };
  const rest = await client.callTool({ name: "Read", arguments: input });
  expect(textOf(rest)).toMatch(new RegExp(`^ *${Number(offset) + 1}\t${Number(offset) + 1}\n`));
  const callId = String(result._meta?.["toolwright/callId"]);
  const output = await client.readResource({ uri: `toolwright://outputs/${callId}` });
  expect((output.contents[0] as { text: string }).text).toContain("\n3000\n[redacted]\n1\n");
});

test("an output too long for an answer is a resource, as is every receipt", async () => {
  const server = await serveForTest();
  const client = await connectClient(server);
  const result = await client.callTool({ name: "long" });
  const callId = String(result._meta?.["toolwright/callId"]);
  expect(textOf(result).length).toBeLessThanOrEqual(1000);
  expect(result.content).toContainEqual(
    expect.objectContaining({ type: "resource_link", uri: `toolwright://outputs/${callId}` }),
  );
  const output = await client.readResource({ uri: `toolwright://outputs/${callId}` });
  expect(output.contents[0]).toMatchObject({ mimeType: "text/plain", text: expect.stringMatching(/END$/) });
  const receipt = await client.readResource({ uri: `toolwright://receipts/${callId}` });
  expect(JSON.parse((receipt.contents[0] as { text: string }).text)).toMatchObject({ callId, tool: "long" });
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
  const completion = await client.complete({
    ref: { type: "ref/resource", uri: "toolwright://receipts/{callId}" },
    argument: { name: "callId", value: callId.slice(0, 8) },
  });
  expect(completion.completion.values).toEqual([callId]);
  for (const uri of [
    "toolwright://receipts/none",
    "toolwright://outputs/..%2f..%2fstore",
    "file:///etc/passwd",
  ]) {
    await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602 });
  }
});

test("receipts come in pages, and a made-up cursor is refused", async () => {
  const server = await serveForTest();
  const client = await connectClient(server);
  const session = await server.runtime.openSession({ id: "mcp-laptop" });
  for (let count = 0; count < 150; count++) await session.call("echo", { text: "x" });
  const { resources } = await client.listResources();
  expect(new Set(resources.map(({ uri }) => uri)).size).toBe(150);
  await expect(client.listResources({ cursor: "nonsense" })).rejects.toMatchObject({ code: -32602 });
  await expect(client.listTools({ cursor: "ZnJvbSAtMQ" })).rejects.toMatchObject({ code: -32602 });
});

test("tools come in pages, each once and in order", async () => {
  const server = await serveForTest({ http: { toolsPerPage: 5 } });
  const client = await connectClient(server);
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.request({
      method: "tools/list",
      params: cursor === undefined ? {} : { cursor },
    });
    expect(page.tools.length).toBeLessThanOrEqual(5);
    names.push(...page.tools.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  const session = await server.runtime.openSession({ id: "mcp-laptop" });
  const offered = session.tools().filter(({ denied }) => denied === undefined);
  expect(names).toEqual(offered.map(({ name }) => name));
});

test.each(["2026-07-28", "2025-11-25"])(
  "a client hears of a new tool, once for many, by %s",
  async (protocol) => {
    const server = await serveForTest();
    const heard: string[][] = [];
    const onChanged = (_error: Error | null, tools: { name: string }[] | null) =>
      heard.push((tools ?? []).map(({ name }) => name));
    // Told at once: a pause that begins anew with every change would end only between two of those below.
    const tools = { onChanged, debounceMs: 0 };
    const client = await connectClient(server, { protocol, listChanged: { tools } });
    await client.listTools();
    let made = 0;
    // The stream on which it hears of changes may still be opening.
    await expect
      .poll(
        () => {
          made += 1;
          const name = `made_${made}`;
          server.runtime.tools.register(
            defineTool({
              name,
              description: "New",
              params: {},
              traits: { readOnly: true },
              run: () => "new",
            }),
          );
          return heard.flat();
        },
        { interval: 300, ...patience },
      )
      .toContainEqual(expect.stringMatching(/^made_/));
  },
);

test("a hundred calls at once over HTTP are all answered, each with its own result", async () => {
  const server = await serveForTest();
  const clients = await Promise.all(
    protocols.slice(0, 4).map((protocol) => connectClient(server, { protocol })),
  );
  const texts = Array.from({ length: 100 }, (_, index) => `call ${index}`);
  const results = await Promise.all(
    texts.map((text, index) =>
      clients[index % clients.length]!.callTool({ name: "echo", arguments: { text } }),
    ),
  );
  expect(results.map(textOf)).toEqual(texts);
  expect(await server.runtime.receipts({ sessionId: "mcp-laptop" })).toHaveLength(100);
  expect(await server.runtime.verify("mcp-laptop")).toEqual([
    { sessionId: "mcp-laptop", events: expect.any(Number), receipts: 100 },
  ]);
});

test("a file that is written through MCP is undone like any other call", async () => {
  const server = await serveForTest({ options: { permissions: { mode: "edit" } } });
  const client = await connectClient(server);
  await writeFile(join(server.workspace, "a.txt"), "before");
  const result = await client.callTool({
    name: "file_write",
    arguments: { path: "a.txt", content: "after" },
  });
  expect(await readFile(join(server.workspace, "a.txt"), "utf8")).toBe("after");
  const session = await server.runtime.openSession({ id: "mcp-laptop" });
  await session.undo(String(result._meta?.["toolwright/callId"]));
  expect(await readFile(join(server.workspace, "a.txt"), "utf8")).toBe("before");
});

function textOf(result: { content: readonly { type: string }[] }): string {
  return result.content.flatMap((part) => ("text" in part ? [String(part.text)] : [])).join("\n");
}

async function lastReceipt({ runtime }: Awaited<ReturnType<typeof serveForTest>>) {
  return (await runtime.receipts({ limit: 1 }))[0];
}
