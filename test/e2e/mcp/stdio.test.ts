import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Cli, createCli, mainFile, packageAddress } from "../../faces/cli/run-cli.ts";
import { clientOptions } from "../../faces/mcp-server/serve-for-test.ts";
import { casesOf } from "../../support/fuzz.ts";
import { withoutSandboxNotes } from "../../support/no-sandbox.ts";
import { pass } from "../../support/pass.ts";
import { startCli } from "../start-cli.ts";

// Each test starts several processes.
vi.setConfig({ testTimeout: 120_000 });

const revisions = ["2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];

const revisionsWithForms = ["2026-07-28", "2025-11-25", "2025-06-18"];

// By default the newest, which has no handshake, and the oldest, which has one as all others have.
test.each(casesOf({ sample: ["2026-07-28", "2025-11-25", "2024-10-07"], full: revisions }))(
  "the official client lists and calls tools over stdio by protocol %s, and approves what it is asked",
  async (protocol) => {
    const cli = await createCli({ "a.txt": "in the file\n" });
    const capabilities = revisionsWithForms.includes(protocol) ? { elicitation: {} } : {};
    const { client } = await connect(cli, { protocol, capabilities });
    expect(client.getNegotiatedProtocolVersion()).toBe(protocol);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("Read");
    const result = await client.callTool({ name: "file_read", arguments: { path: "a.txt" } });
    expect(JSON.stringify(result.content)).toContain("in the file");
    if (capabilities.elicitation === undefined) return;
    client.setRequestHandler("elicitation/create", () => ({
      action: "accept",
      content: { decision: "allow" },
    }));
    await client.callTool({ name: "file_write", arguments: { path: "b.txt", content: "allowed" } });
    expect(await readFile(join(cli.workspace, "b.txt"), "utf8")).toBe("allowed");
  },
);

test("each start is a session of its own, with the client in the receipt; --session resumes one", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  for (const words of [[], [], ["--session", "kept"], ["--session", "kept"]]) {
    const { client } = await connect(cli, { words });
    await client.callTool({ name: "file_read", arguments: { path: "a.txt" } });
    await client.close();
  }
  const { stdout } = await cli(["log", "--json"]);
  const receipts = stdout
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line));
  expect(receipts).toHaveLength(4);
  expect(new Set(receipts.map(({ sessionId }) => sessionId)).size).toBe(3);
  for (const { caller } of receipts) {
    expect(caller).toEqual({ kind: "mcp", name: "test client", transport: "stdio" });
  }
});

test("an error that a tool throws outside of its run does not end the server, and is charged to its call", async () => {
  const cli = await createCli({
    "tools/careless.ts": `import { defineTool } from ${JSON.stringify(packageAddress)};
      setTimeout(() => { throw new Error("of no call"); }, 1);
      const fail = (what) => { throw new Error(what); };
      export default defineTool({ name: "careless", description: "Forgets", params: {}, traits: { readOnly: true },
        async run() {
          // As libraries that report crashes do, and those that clean up after themselves.
          for (const event of ["uncaughtException", "unhandledRejection"]) {
            process.removeAllListeners(event);
            process.on(event, () => process.exit(9));
            process.once(event, () => process.exit(9));
          }
          await undefined;
          setTimeout(fail, 1, "in a timer"); setImmediate(fail, "in an immediate"); queueMicrotask(() => fail("in a microtask"));
          void Promise.reject(new Error("in a promise"));
          const again = setInterval(fail, 1, "again and again"); setTimeout(clearInterval, 40, again);
          return "returned"; } });`,
    "config.json": JSON.stringify({ toolFolders: ["tools"] }),
  });
  const { client } = await connect(cli, { words: ["--config", "config.json", "--session", "kept"] });
  const call = () => client.callTool({ name: "careless", arguments: {} });
  for (const _turn of [1, 2, 3]) expect(JSON.stringify((await call()).content)).toContain("returned");
  await pass(60);
  expect(JSON.stringify((await call()).content)).toContain("returned");
  await client.close();
  const events = new DatabaseSync(await storeFileOf(cli)).prepare("SELECT body FROM events").all();
  const notes = events.map(({ body }) => JSON.parse(String(body))).filter(({ type }) => type === "log");
  const charged = ["in a timer", "in an immediate", "in a promise", "again and again"];
  // Node 22 does not know which call a microtask was of.
  if (Number.parseInt(process.versions.node, 10) > 22) charged.push("in a microtask");
  for (const where of charged)
    expect(notes.some(({ callId, message }) => callId !== undefined && message.includes(where))).toBe(true);
  expect(notes.length).toBeLessThanOrEqual(40);
});

test("stdout holds nothing but the protocol, whatever a tool prints", async () => {
  const cli = await createCli({
    "tools/loud.ts": `import { defineTool } from ${JSON.stringify(packageAddress)};
      console.log("loading"); process.stdout.write("raw while loading\\n");
      export default defineTool({ name: "loud", description: "Prints", params: {}, traits: { readOnly: true },
        run() { console.log("log"); process.stdout.write("raw\\n"); return "quiet"; } });`,
    "config.json": JSON.stringify({ toolFolders: ["tools"] }),
  });
  const { client, errors } = await connect(cli, { words: ["--config", "config.json"] });
  const result = await client.callTool({ name: "loud" });
  expect(result.content).toEqual([{ type: "text", text: "quiet" }]);
  expect(errors).toEqual([]);
});

test("a hundred calls at once over stdio are all answered, each with its own result", async () => {
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`${index}.txt`, `text ${index}\n`]),
  );
  const cli = await createCli(files);
  const { client } = await connect(cli);
  const results = await Promise.all(
    Object.keys(files).map((path) => client.callTool({ name: "file_read", arguments: { path } })),
  );
  for (const [index, { content }] of results.entries()) {
    expect(JSON.stringify(content)).toContain(`text ${index}`);
  }
});

test("a request made before the input ends is answered, and then the process ends", async () => {
  const cli = await createCli({ "a.txt": "in the file\n" });
  const messages = [
    {
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
    },
    { method: "notifications/initialized" },
    { id: 2, method: "tools/call", params: { name: "file_read", arguments: { path: "a.txt" } } },
  ];
  const stdin = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const { exitCode, stdout, stderr } = await cli(["mcp"], { stdin });
  expect([exitCode, withoutSandboxNotes(stderr)]).toEqual([0, ""]);
  expect(
    stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id),
  ).toEqual([1, 2]);
});

test.each(
  casesOf<"SIGTERM" | "SIGINT" | "the input's end" | "kill -9 of the client">({
    sample: ["SIGTERM", "kill -9 of the client"],
    full: ["SIGTERM", "SIGINT", "the input's end", "kill -9 of the client"],
  }),
)("%s ends the process, and leaves the call under way recorded as cancelled", async (how) => {
  const cli = await createCli({
    "tools/hang.ts": `import { once } from "node:events";
        import { defineTool } from ${JSON.stringify(packageAddress)};
        export default defineTool({ name: "hang", description: "Hangs", params: {}, traits: { readOnly: true },
          async run(_input, { signal }) { process.stderr.write("hanging\\n"); await once(signal, "abort"); } });`,
    "config.json": JSON.stringify({ toolFolders: ["tools"] }),
  });
  const child = startCli(cli, ["mcp", "--config", "config.json", "--session", "stopped"]);
  const exited = once(child, "exit");
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
  });
  send({ id: 2, method: "tools/call", params: { name: "hang", arguments: {} } });
  await untilSaid(child.stderr, "hanging");
  if (how === "the input's end") child.stdin.end();
  else if (how === "kill -9 of the client") {
    child.stdin.destroy();
    child.stdout.destroy();
  } else child.kill(how);
  expect(await exited).toEqual([0, null]);
  const { stdout } = await cli(["log", "--json", "--session", "stopped"]);
  expect(JSON.parse(stdout.trim().split("\n")[0]!)).toMatchObject({ tool: "hang", status: "cancelled" });
});

test("garbage on stdin is passed over, and the next message is answered", async () => {
  const cli = await createCli();
  const child = startCli(cli, ["mcp"]);
  child.stdin.write("{{{ not json\n\n[]\nnull\n42\n");
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } } })}\n`,
  );
  expect(await untilSaid(child.stdout, "serverInfo")).toContain('"id":7');
  child.stdin.end();
  expect(await once(child, "exit")).toEqual([0, null]);
});

async function connect(
  cli: Cli,
  {
    protocol = "2026-07-28",
    words = [],
    ...options
  }: ClientOptions & { protocol?: string; words?: string[] } = {},
): Promise<{ client: Client; errors: Error[] }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [mainFile, "mcp", ...words],
    cwd: cli.workspace,
    env: cli.environment as Record<string, string>,
    stderr: "ignore",
  });
  const client = new Client({ name: "test client", version: "1.0.0" }, clientOptions(protocol, options));
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  onTestFinished(() => client.close().catch(() => {}));
  await client.connect(transport);
  return { client, errors };
}

function untilSaid(stream: NodeJS.ReadableStream, words: string): Promise<string> {
  let said = "";
  return new Promise((resolve) => {
    stream.on("data", (chunk) => {
      said += chunk;
      if (said.includes(words)) resolve(said);
    });
  });
}

async function storeFileOf(cli: Cli): Promise<string> {
  const base = join(cli.folder, "state", "toolwright");
  const [folder = ""] = await readdir(base);
  return join(base, folder, "store.sqlite");
}
