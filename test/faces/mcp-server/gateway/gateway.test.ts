import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Client } from "@modelcontextprotocol/client";
import { expect, test, vi } from "vitest";
import type { RuntimeOptions } from "../../../../src/index.ts";
import { untilConnected } from "../../../capabilities/mcp-client/open-with-servers.ts";
import { catalogueServer } from "../../../capabilities/mcp-client/sample-servers.ts";
import { connectClient, serveForTest } from "../serve-for-test.ts";

const allowed = { mode: "auto", allow: ["mcp__*"] } as const;

async function serveGateway(options: RuntimeOptions) {
  const served = await serveForTest({ options: { permissions: allowed, ...options } });
  await untilConnected(served.runtime);
  return served;
}

async function foreignOf(client: Client): Promise<string[]> {
  const { resources } = await client.listResources(undefined, { cacheMode: "bypass" });
  return resources.map(({ uri }) => uri).filter((uri) => uri.startsWith("toolwright://mcp/"));
}

async function whyNot(work: Promise<unknown>): Promise<{ message: string; code: number; data: unknown }> {
  return work.then(
    () => expect.fail("it should have been refused"),
    ({ message, code, data }) => ({ message, code, data }),
  );
}

test("resources and prompts of two servers are listed, read and got, each with a receipt", async () => {
  const served = await serveGateway({ mcpServers: { one: catalogueServer(), two: catalogueServer("two") } });
  const client = await connectClient(served);
  expect(client.getServerCapabilities()).toMatchObject({
    resources: { listChanged: true },
    prompts: { listChanged: true },
  });

  // An address that could not be passed back unchanged is left out, and so are hidden characters.
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    "toolwright://mcp/one/test://note",
    "toolwright://mcp/one/test://pixel",
    "toolwright://mcp/two/test://note",
    "toolwright://mcp/two/test://pixel",
  ]);
  expect(resources[0]).toMatchObject({
    name: "note",
    description: "A thing",
    mimeType: "text/plain",
    size: 3,
  });
  const { resourceTemplates } = await client.listResourceTemplates();
  expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
    "toolwright://receipts/{callId}",
    "toolwright://outputs/{callId}",
    "toolwright://mcp/one/test://item/{name}",
    "toolwright://mcp/two/test://item/{name}",
  ]);
  const { prompts } = await client.listPrompts();
  expect(prompts).toEqual([
    {
      name: "one__greet",
      description: "Greets somebody",
      arguments: [{ name: "whom", required: true }],
    },
    expect.objectContaining({ name: "two__greet" }),
  ]);

  const read = async (uri: string) => (await client.readResource({ uri })).contents[0];
  expect(await read("toolwright://mcp/one/test://note")).toEqual({
    uri: "toolwright://mcp/one/test://note",
    mimeType: "text/plain",
    text: "test://note of the plain one",
  });
  expect(await read("toolwright://mcp/two/test://note")).toMatchObject({ text: "test://note of two" });
  // As a client fills in a template.
  expect(await read("toolwright://mcp/one/test://item/a%20b%2Fc")).toMatchObject({
    text: "test://item/a%20b%2Fc of the plain one",
  });
  expect(await read("toolwright://mcp/one/test://pixel")).toMatchObject({
    mimeType: "image/png",
    blob: expect.stringMatching(/^iVBOR/),
  });
  // Whole, although a model would see only a part of it, and with secrets masked.
  expect(await read("toolwright://mcp/one/test://long")).toMatchObject({ text: "long ".repeat(40_000) });
  const secret = await read("toolwright://mcp/one/test://secret");
  expect(secret).toMatchObject({ text: expect.stringContaining("and more") });
  expect(JSON.stringify(secret)).not.toContain("hunter2");

  const greeting = await client.getPrompt({ name: "two__greet", arguments: { whom: "you" } });
  expect(greeting).toMatchObject({
    description: "A greeting",
    messages: [
      { role: "user", content: { type: "text", text: "Hello you" } },
      { role: "assistant", content: { type: "image", mimeType: "image/png" } },
      { role: "user", content: { type: "resource_link", uri: "toolwright://mcp/two/test://note" } },
    ],
  });
  // A link in a tool's result can be read the same way, unless it leads to the web.
  const { content } = await client.callTool({ name: "mcp__two__link", arguments: {} });
  expect(content).toMatchObject([
    { uri: "toolwright://mcp/two/test://note" },
    { uri: "https://example.com/a" },
  ]);

  const receipts = await served.runtime.receipts({ sessionId: "mcp-laptop", limit: 100 });
  expect(receipts.map(({ tool, status }) => `${tool} ${status}`).toReversed()).toEqual([
    "mcp__one__read_mcp_resource done",
    "mcp__two__read_mcp_resource done",
    ...Array(4).fill("mcp__one__read_mcp_resource done"),
    "mcp__two__get_mcp_prompt done",
    "mcp__two__link done",
  ]);
  const uri = String(greeting._meta?.["toolwright/receipt"]);
  expect((await client.readResource({ uri })).contents[0]).toMatchObject({
    text: expect.stringContaining('"tool": "mcp__two__get_mcp_prompt"'),
  });

  // An application may show the same thing again and again.
  for (let time = 0; time < 6; time += 1) await read("toolwright://mcp/two/test://note");

  const changed = [vi.fn(), vi.fn()];
  const listen = (protocol: string, onChanged: () => void) =>
    connectClient(served, {
      protocol,
      listChanged: { resources: { autoRefresh: false, debounceMs: 0, onChanged } },
    });
  const listener = await listen("2026-07-28", changed[0]!);
  await listen("2025-06-18", changed[1]!);
  await read("toolwright://mcp/one/test://grow");
  await vi.waitFor(() => {
    for (const each of changed) expect(each).toHaveBeenCalled();
  }, 45_000);
  expect(await foreignOf(listener)).toContain("toolwright://mcp/one/test://added/0");
});

test("an agent reads and lists resources with the same tools, and a client lists any number", async () => {
  const served = await serveGateway({
    mcpServers: { many: catalogueServer("many"), one: catalogueServer() },
  });
  const session = await served.runtime.openSession();
  const call = async (name: string, input = {}) => (await session.call(`mcp__one__${name}`, input)).text;
  expect(await call("read_mcp_resource", { uri: "test://note" })).toBe(
    "[test://note]\ntest://note of the plain one",
  );
  expect(await call("read_mcp_resource")).toBe(
    "test://note  note: A thing\ntest://pixel  pixel: A thing\ntest://item/{name}  item",
  );
  expect(await call("get_mcp_prompt")).toBe("greet(whom)  greet: Greets somebody");
  expect(await call("read_mcp_resource", { uri: "test://a b" })).toContain("a URI has no spaces");
  // What was read comes from outside, as with any tool of a server.
  expect(session.taint.list().length).toBeGreaterThan(0);

  // More than fit in a page come page by page, each once, and then the receipts.
  const client = await connectClient(served);
  await client.readResource({ uri: "toolwright://mcp/many/test://note" });
  const sizes: number[] = [];
  const uris = new Set<string>();
  for (let cursor: string | undefined, isLast = false; !isLast; ) {
    const page = await client.request({ method: "resources/list", params: cursor ? { cursor } : {} });
    sizes.push(page.resources.length);
    for (const { uri } of page.resources) uris.add(uri);
    cursor = page.nextCursor;
    isLast = cursor === undefined;
  }
  expect(sizes).toEqual([1000, 102, 1]);
  expect(uris.size).toBe(1103);
  expect([...uris].at(-1)).toMatch(/^toolwright:\/\/receipts\//);
});

test("rules bind reading: on the tool, and on the file that an address names", async () => {
  const served = await serveGateway({
    mcpServers: {
      open: catalogueServer(),
      locked: catalogueServer(),
      picky: { ...catalogueServer(), exclude: ["*_mcp_*"] },
    },
    permissions: { ...allowed, deny: ["mcp__locked__*_mcp_*", "Read(secrets/**)"] },
  });
  await mkdir(join(served.workspace, "secrets"));
  for (const name of ["secrets/a b.txt", "public.txt"]) await writeFile(join(served.workspace, name), "");
  const client = await connectClient(served);
  // What is denied whatever its input is not listed, nor what the options leave out.
  expect(new Set((await foreignOf(client)).map((uri) => uri.split("/")[3]))).toEqual(new Set(["open"]));
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(["open__greet"]);

  const read = (server: string, uri: string) =>
    client.readResource({ uri: `toolwright://mcp/${server}/${uri}` });
  const denied = await whyNot(read("locked", "test://note"));
  expect(denied).toMatchObject({
    code: -32600,
    message: expect.stringContaining("mcp__locked__"),
    data: { "toolwright/status": "denied" },
  });
  expect(await whyNot(client.getPrompt({ name: "locked__greet" }))).toMatchObject({ code: -32600 });
  expect((await whyNot(read("picky", "test://note"))).message).toContain("offers no resources here");
  expect((await whyNot(read("nobody", "test://note"))).code).toBe(-32602);
  expect((await whyNot(client.getPrompt({ name: "nobody__greet" }))).code).toBe(-32602);

  // A person can deny these tools like any other of the server.
  await served.runtime.mcp.deny("mcp:open/get_mcp_prompt");
  expect((await client.listPrompts(undefined, { cacheMode: "bypass" })).prompts).toEqual([]);
  expect((await whyNot(client.getPrompt({ name: "open__greet" }))).message).toContain(
    "offers no prompts here",
  );

  const file = (name: string) => pathToFileURL(join(served.workspace, name)).href;
  expect((await read("open", file("public.txt"))).contents).toHaveLength(1);
  const secret = file("secrets/a b.txt");
  for (const uri of [secret, secret.replace("file:", "FILE:"), secret.replace("secrets", "%73ecrets")]) {
    expect((await whyNot(read("open", uri))).message).toContain("Read(secrets/**)");
  }
  const receipts = await served.runtime.receipts({ sessionId: "mcp-laptop", limit: 100 });
  expect(receipts.filter(({ status }) => status === "denied")).toHaveLength(5);
});

test("reading that needs approval asks the client's person, or says what to do", async () => {
  const served = await serveGateway({
    mcpServers: { one: catalogueServer() },
    permissions: { mode: "ask" },
  });
  const uri = "toolwright://mcp/one/test://note";
  const mute = await connectClient(served);
  const refused = await whyNot(mute.readResource({ uri }));
  expect(refused.message).toContain("add a rule to Toolwright's configuration");
  expect((await whyNot(mute.getPrompt({ name: "one__greet" }))).code).toBe(-32600);

  for (const protocol of ["2026-07-28", "2025-06-18"]) {
    const asking = await connectClient(served, { protocol, capabilities: { elicitation: { form: {} } } });
    const asked: string[] = [];
    asking.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { decision: "allow" } };
    });
    const { contents } = await asking.readResource({ uri });
    expect(contents[0]).toMatchObject({ text: "test://note of the plain one" });
    expect(asked.join()).toContain("test://note");
  }
});

test("a server that lists without end, or nonsense, is left out, and the others are listed", async () => {
  const served = await serveGateway({
    mcpServers: {
      endless: catalogueServer("endless"),
      nonsense: catalogueServer("nonsense"),
      own: catalogueServer("own"),
      plain: catalogueServer(),
    },
  });
  const client = await connectClient(served);
  const { resources, _meta } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual([
    "toolwright://mcp/plain/test://note",
    "toolwright://mcp/plain/test://pixel",
  ]);
  expect(_meta?.["toolwright/unavailable"]).toEqual({
    endless: expect.stringContaining("more than 10485760 bytes"),
    nonsense: expect.any(String),
  });
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(["endless__greet", "own__greet", "plain__greet"]);

  const read = (uri: string) => client.readResource({ uri: `toolwright://mcp/${uri}` });
  expect((await whyNot(read("nonsense/test://note"))).code).toBe(-32603);
  expect((await whyNot(client.getPrompt({ name: "nonsense__greet" }))).code).toBe(-32603);
  // Its own tool of that name stays its own.
  expect((await whyNot(read("own/test://note"))).message).toContain("offers no resources here");
  const { content } = await client.callTool({ name: "mcp__own__read_mcp_resource", arguments: {} });
  expect(content).toEqual([{ type: "text", text: "my own" }]);
  // None of it costs the connection.
  expect(served.runtime.mcp.servers().map(({ status }) => status)).toEqual(Array(4).fill("running"));
});

test("without other servers there are no prompts, and resources are receipts only", async () => {
  const client = await connectClient(await serveForTest());
  expect(client.getServerCapabilities()?.prompts).toBeUndefined();
  expect(client.getServerCapabilities()?.resources).toEqual({});
  expect((await whyNot(client.getPrompt({ name: "one__greet" }))).message).toContain("-32601");
  expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(2);
});

test("a server's suggestions for an argument are passed on, but nothing is sent that a call could not send unasked", async () => {
  const mcpServers = { one: catalogueServer(), locked: catalogueServer(), mute: catalogueServer("mute") };
  const deny = ["mcp__locked__*_mcp_*"];
  const served = await serveGateway({ mcpServers, permissions: { ...allowed, deny } });
  const client = await connectClient(served);
  const argument = { name: "whom", value: "y" };
  const prompt = (name: string) => client.complete({ ref: { type: "ref/prompt", name }, argument });
  const template = (uri: string) =>
    client.complete({ ref: { type: "ref/resource", uri }, argument, context: { arguments: { name: "a" } } });
  const suggested = (ref: object, context: object | null = null) => ({
    completion: { values: [JSON.stringify([ref, argument, context])], total: 2, hasMore: false },
  });

  expect(await prompt("one__greet")).toMatchObject(suggested({ type: "ref/prompt", name: "greet" }));
  const uri = "test://item/{name}";
  expect(await template(`toolwright://mcp/one/${uri}`)).toMatchObject(
    suggested({ type: "ref/resource", uri }, { arguments: { name: "a" } }),
  );
  const nothing = { completion: { values: [] } };
  for (const name of ["locked__greet", "mute__greet", "one__other", "nobody__greet"])
    expect(await prompt(name)).toMatchObject(nothing);
  for (const address of [`locked/${uri}`, "one/test://other/{name}", `nobody/${uri}`])
    expect(await template(`toolwright://mcp/${address}`)).toMatchObject(nothing);

  const asking = await connectClient(
    await serveGateway({ mcpServers: { one: catalogueServer() }, permissions: { mode: "ask" } }),
  );
  expect(await asking.complete({ ref: { type: "ref/prompt", name: "one__greet" }, argument })).toMatchObject(
    nothing,
  );
});
