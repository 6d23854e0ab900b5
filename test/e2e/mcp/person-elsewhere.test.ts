import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client, type ElicitResult } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Cli, createCli, mainFile, parseLines } from "../../faces/cli/run-cli.ts";
import { clientOptions } from "../../faces/mcp-server/serve-for-test.ts";
import { casesOf } from "../../support/fuzz.ts";
import { startModelServer } from "../../support/model-server/start-model-server.ts";

// Each test starts several processes.
vi.setConfig({ testTimeout: 60_000 });

async function connect(
  cli: Cli,
  capabilities: object,
  words: readonly string[],
  protocol = "2026-07-28",
): Promise<Client> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [mainFile, "mcp", ...words],
    cwd: cli.workspace,
    env: cli.environment as Record<string, string>,
    stderr: "ignore",
  });
  const options = clientOptions(protocol, { capabilities });
  const client = new Client({ name: "test client", version: "1.0.0" }, options);
  onTestFinished(() => client.close().catch(() => {}));
  await client.connect(transport);
  return client;
}

/** A workspace whose sub-agents write a file, and then say that they are done. */
async function createWriters(): Promise<Cli> {
  const { url } = await startModelServer(({ body }) =>
    body.messages.at(-1).role === "tool"
      ? { text: "I am done." }
      : { calls: [{ name: "file_write", input: { path: "a.txt", content: "hello\n" } }] },
  );
  return createCli({ "config.json": JSON.stringify({ agents: { model: "any", baseUrl: url } }) });
}

const agentRun = { name: "agent_run", arguments: { prompt: "write a.txt" } };
const words = ["--config", "config.json", "--dialect", "canonical"];

/** What a person at another terminal is shown of the one thing that waits, and its id. */
async function look(cli: Cli): Promise<{ readonly shown: string; readonly id: string }> {
  const { stdout: shown } = await cli(["approvals"]);
  return { shown, id: /^call:\w+/m.exec(shown)?.[0] ?? "" };
}

test("a sub-agent of a client that cannot ask says what it needs, and succeeds once a person elsewhere approved it", async () => {
  const cli = await createWriters();
  const client = await connect(cli, {}, words);
  const asked = await client.callTool(agentRun);
  expect(JSON.stringify(asked.content)).toContain("1 call of it was not made: approval is needed");
  const { shown, id } = await look(cli);
  expect(shown).toMatch(
    /^Agent "agent_\w+" wants to run file_write: a.txt\non behalf of: MCP client "test client"$/m,
  );
  expect(await cli(["approve", id])).toMatchObject({ exitCode: 0 });
  // Another sub-agent makes the same call, for the same client.
  expect(JSON.stringify((await client.callTool(agentRun)).content)).not.toContain("was not made");
  expect(await readFile(join(cli.workspace, "a.txt"), "utf8")).toBe("hello\n");
  const receipts = parseLines((await cli(["log", "--json"])).stdout);
  expect(receipts.find(({ tool, status }) => tool === "file_write" && status === "done")).toMatchObject({
    caller: { kind: "agent", onBehalfOf: { kind: "mcp", name: "test client", transport: "stdio" } },
    verdict: { decision: "allow" },
  });
});

// By the newer protocol, a client is told nothing before it has answered what it was asked.
const waysToAsk = [
  { protocol: "2025-11-25", answersLate: false },
  { protocol: "2026-07-28", answersLate: true },
];
test.each(casesOf({ sample: waysToAsk.slice(1), full: waysToAsk }))(
  "an approval that a sub-agent waits for, while its client is asked, can be given at another terminal: $protocol",
  async ({ protocol, answersLate }) => {
    const cli = await createWriters();
    const client = await connect(cli, { elicitation: {} }, words, protocol);
    const asking = Promise.withResolvers<string>();
    const { promise: late, resolve: answer } = Promise.withResolvers<ElicitResult>();
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asking.resolve(params.message);
      return late;
    });
    const called = client.callTool(agentRun);
    expect(await asking.promise).toContain('on behalf of: MCP client "test client"');
    const { id } = await look(cli);
    expect((await cli(["sessions"])).stdout).toMatch(/waiting \(pid \d+\)/);
    expect(await cli(["approve", id])).toMatchObject({ exitCode: 0 });
    if (answersLate) answer({ action: "decline" });
    expect(JSON.stringify((await called).content)).toContain("I am done.");
    expect(await readFile(join(cli.workspace, "a.txt"), "utf8")).toBe("hello\n");
  },
);

test.each(casesOf({ sample: ["off"], full: ["auto", "off"] }))(
  "a client cannot answer its own request by anything that it is offered, with the sandbox %s",
  async (sandbox) => {
    const permissions = { mode: "auto", ask: ["file_write"] };
    const cli = await createCli({ "config.json": JSON.stringify({ sandbox, permissions }) });
    const client = await connect(cli, {}, words);
    const call = async (name: string, input: object) =>
      JSON.stringify((await client.callTool({ name, arguments: { ...input } })).content);
    const write = () => call("file_write", { path: "a.txt", content: "x" });
    const [, command = ""] = /`toolwright (approve call:[^`]+)`/.exec(await write()) ?? [];
    expect(command).toContain(cli.workspace);

    const { tools } = await client.listTools();
    const { resources } = await client.listResources();
    expect(JSON.stringify([tools.map(({ name }) => name), resources])).not.toMatch(/approv/);
    const approve = `"${process.execPath}" "${mainFile}" ${command} --yes`;
    const home = `export HOME="${cli.folder}" XDG_STATE_HOME="${cli.environment.XDG_STATE_HOME}"`;
    await call("shell_run", { command: `${home}; ${approve} > tried 2>&1; echo "exit $?" >> tried` });
    await writeFile(
      join(cli.workspace, "leave.sh"),
      `${home}\n${approve} > left 2>&1; echo "exit $?" >> left`,
    );
    await call("shell_run", {
      command:
        'trap "" HUP; setsid -f env -i PATH="$PATH" bash leave.sh < /dev/null; until grep -q exit left; do sleep 0.1; done',
    });
    for (const file of ["tried", "left"])
      expect(await readFile(join(cli.workspace, file), "utf8")).toMatch(/exit [123]\n$/);
    const store = (await readdir(cli.folder, { recursive: true })).find((path) => path.endsWith(".sqlite"));
    for (const name of ["file_read", "file_delete"])
      expect(await call(name, { path: join(cli.folder, store ?? "") })).toMatch(/outside|denied|not allowed/);

    expect(await write()).toContain("needs approval");
    expect((await look(cli)).shown).toContain("needs approval: a.txt");
    expect(await cli(command.split(" "))).toMatchObject({ exitCode: 0 });
    expect(await write()).not.toContain("needs approval");
  },
);
