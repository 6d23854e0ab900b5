import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Cli, createCli, mainFile, parseLines } from "../../faces/cli/run-cli.ts";
import { clientOptions } from "../../faces/mcp-server/serve-for-test.ts";
import { casesOf } from "../../support/fuzz.ts";
import { serve } from "./serve-cli.ts";
import { type Everything, filesystemFile, startEverything } from "./third-party-servers.ts";
import { untilOffered } from "./until-offered.ts";

// Each test starts several programs, ours and other people's.
vi.setConfig({ testTimeout: 120_000 });

const gateways = ["mcp", "serve"] as const;
const protocols = ["2026-07-28", "2025-11-25"];
const everyWay = gateways.flatMap((gateway) => protocols.map((protocol) => ({ gateway, protocol })));

/** One of the ways by default: the tests of `mcp` and `serve` themselves go through the others. */
const oneOf = (gateway: (typeof gateways)[number], protocol: string) =>
  casesOf({ sample: [{ gateway, protocol }], full: everyWay });

const permissions = {
  mode: "ask",
  allow: ["mcp__everything__*", "mcp__files__read_text_file"],
  deny: ["mcp__everything__get-env"],
};

test.each(oneOf("serve", "2025-11-25"))(
  "a server that a workspace names is approved once and then served by toolwright $gateway, protocol $protocol",
  async ({ gateway, protocol }) => {
    const { cli, words } = await createWorkspace();
    expect(await namesOf(await connect(cli, gateway, words))).toEqual([]);
    const waiting = parseLines((await cli(["approvals", "--json"])).stdout);
    expect(waiting.map(({ server }) => server)).toEqual(["everything", "files"]);
    for (const { id } of waiting) expect((await cli(["approve", String(id)])).exitCode).toBe(0);

    const client = await connect(cli, gateway, words, { protocol });
    await untilOffered(client, "mcp__everything__echo", "mcp__files__read_text_file");
    const { tools } = await client.listTools();
    const weather = tools.find(({ name }) => name === "mcp__everything__get-structured-content");
    expect(weather?.outputSchema).toMatchObject({ required: ["temperature", "conditions", "humidity"] });
    const call = (name: string, input: Record<string, unknown> = {}) =>
      client.callTool({ name: `mcp__${name}`, arguments: input });
    expect(await call("everything__get-structured-content", { location: "New York" })).toMatchObject({
      structuredContent: { temperature: 33, conditions: "Cloudy", humidity: 82 },
    });
    expect((await call("everything__get-tiny-image")).content).toMatchObject([
      { type: "text" },
      { type: "image", mimeType: "image/png", data: expect.stringMatching(/^iVBOR/) },
      { type: "text" },
    ]);
    const { content } = await call("everything__get-resource-links", { count: 1 });
    const uri = "toolwright://mcp/everything/demo://resource/dynamic/blob/1";
    expect(content[1]).toMatchObject({ type: "resource_link", uri });
    expect((await client.readResource({ uri })).contents).toMatchObject([{ uri, blob: expect.any(String) }]);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain(
      "toolwright://mcp/everything/demo://resource/dynamic/blob/{resourceId}",
    );
    const { messages } = await client.getPrompt({
      name: "everything__args-prompt",
      arguments: { city: "Bern" },
    });
    expect(messages).toMatchObject([{ role: "user", content: { text: expect.stringContaining("Bern") } }]);
    const path = join(cli.workspace, "a.txt");
    expect((await call("files__read_text_file", { path })).content).toEqual([
      { type: "text", text: "in the file\n" },
    ]);
    expect(await call("everything__get-env")).toMatchObject(refusedBy("permission-denied"));
    expect(await call("files__write_file", { path, content: "no" })).toMatchObject(
      refusedBy("approval-needed"),
    );
    expect(await readFile(path, "utf8")).toBe("in the file\n");
    await client.close();

    const receipts = parseLines((await cli(["log", "--json"])).stdout).toReversed();
    expect(receipts.map(({ tool, status }) => `${tool} ${status}`)).toEqual([
      "mcp__everything__get-structured-content done",
      "mcp__everything__get-tiny-image done",
      "mcp__everything__get-resource-links done",
      "mcp__everything__read_mcp_resource done",
      "mcp__everything__get_mcp_prompt done",
      "mcp__files__read_text_file done",
      "mcp__everything__get-env denied",
      "mcp__files__write_file denied",
    ]);
    const caller = { kind: "mcp", name: "test client", transport: gateway === "mcp" ? "stdio" : "http" };
    for (const receipt of receipts) expect(receipt.caller).toMatchObject(caller);
    expect((await cli(["log", "--verify"])).exitCode).toBe(0);
  },
);

test.each(oneOf("mcp", "2026-07-28"))(
  "progress and questions of a server pass through toolwright $gateway, protocol $protocol",
  async ({ gateway, protocol }) => {
    const { cli, words } = await createGateway(await startEverything("stdio"));
    const client = await connect(cli, gateway, words, { protocol, capabilities: { elicitation: {} } });
    await untilOffered(client, longRunning);
    const asked: unknown[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params);
      return { action: "accept", content: { name: "Ada Lovelace", integer: 7 } };
    });
    const answer = await client.callTool({ name: "mcp__everything__trigger-elicitation-request" });
    expect(JSON.stringify(answer.content)).toContain("Name: Ada Lovelace");
    expect(asked).toMatchObject([
      { requestedSchema: { properties: { name: { type: "string" }, integer: { maximum: 100 } } } },
    ]);

    // Progress that comes together with an answer the official client looks at too late, so there is none here.
    const updates: number[] = [];
    const enough = new AbortController();
    const onprogress = ({ progress }: { progress: number }) => {
      if (updates.push(progress) === 2) enough.abort();
    };
    await expect(client.callTool(long, { onprogress, signal: enough.signal })).rejects.toThrow();
    expect(updates[0]).toBe(1);
    // Where nobody takes it in time, a step is left out for the next.
    expect(updates[1]).toBeGreaterThan(1);
  },
);

test.each(casesOf<(typeof gateways)[number]>({ sample: ["serve"], full: gateways }))(
  "a call through toolwright %s can be given up, and its server may be killed",
  async (gateway) => {
    const everything = await startEverything("stdio");
    const { cli, words } = await createGateway(everything);
    const client = await connect(cli, gateway, words);
    await untilOffered(client, longRunning);
    const giveUp = new AbortController();
    const given = client.callTool(long, { signal: giveUp.signal, onprogress: () => giveUp.abort() });
    await expect(given).rejects.toThrow();

    const killing: Promise<void>[] = [];
    const onprogress = () => {
      if (killing.length === 0) killing.push(everything.kill());
    };
    expect(await client.callTool(long, { onprogress })).toMatchObject(refusedBy("unavailable"));
    await Promise.all(killing);
    let attempts = 0;
    await vi.waitFor(
      async () => {
        // Another one each time: a call that fails the same way again and again is not made any more.
        attempts += 1;
        const message = `back ${attempts}`;
        const { content } = await client.callTool({ name: "mcp__everything__echo", arguments: { message } });
        expect(content).toEqual([{ type: "text", text: `Echo: ${message}` }]);
      },
      { timeout: 60_000, interval: 200 },
    );
    await client.close();
    const receipts = parseLines((await cli(["log", "--json", "--limit", "1000"])).stdout).toReversed();
    expect(receipts.slice(0, 2)).toMatchObject([
      { tool: longRunning, status: "cancelled" },
      { tool: longRunning, status: "failed" },
    ]);
  },
);

const longRunning = "mcp__everything__trigger-long-running-operation";
const long = { name: longRunning, arguments: { duration: 60, steps: 600 } };

function refusedBy(code: string) {
  return { isError: true, _meta: { "toolwright/error": { code } } };
}

/** A workspace that names both servers itself, and the words to serve it with. */
async function createWorkspace(): Promise<{ cli: Cli; words: string[] }> {
  const cli = await createCli({ "a.txt": "in the file\n", "config.json": JSON.stringify({ permissions }) });
  const { options } = await startEverything("stdio");
  const files = { command: process.execPath, args: [filesystemFile, "."] };
  await mkdir(join(cli.workspace, ".toolwright"));
  const file = join(cli.workspace, ".toolwright", "mcp.json");
  await writeFile(file, JSON.stringify({ mcpServers: { everything: options, files } }));
  return { cli, words: ["--gateway", "--config", "config.json"] };
}

/** The same with a server that whoever starts the gateway names. */
async function createGateway({ options }: Everything): Promise<{ cli: Cli; words: string[] }> {
  const mcpServers = { everything: options };
  const cli = await createCli({ "config.json": JSON.stringify({ permissions, mcpServers }) });
  return { cli, words: ["--gateway", "--config", "config.json"] };
}

async function connect(
  cli: Cli,
  gateway: (typeof gateways)[number],
  words: readonly string[],
  { protocol = "2026-07-28", ...options }: ClientOptions & { protocol?: string } = {},
): Promise<Client> {
  const client = new Client({ name: "test client", version: "1.0.0" }, clientOptions(protocol, options));
  onTestFinished(() => client.close().catch(() => {}));
  await client.connect(gateway === "mcp" ? overStdio(cli, words) : await overHttp(cli, words));
  return client;
}

function overStdio(cli: Cli, words: readonly string[]): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [mainFile, "mcp", ...words],
    cwd: cli.workspace,
    env: cli.environment as Record<string, string>,
    stderr: "ignore",
  });
}

async function overHttp(cli: Cli, words: readonly string[]): Promise<StreamableHTTPClientTransport> {
  const { url, token } = await serve(cli, words);
  const headers = { Authorization: `Bearer ${token}` };
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
}

async function namesOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith("mcp__"));
}
