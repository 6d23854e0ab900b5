import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test } from "vitest";
import { define, rawServer, sampleServer } from "../../capabilities/mcp-client/sample-servers.ts";
import { type Cli, createCli, mainFile, parseLines } from "../../faces/cli/run-cli.ts";
import { untilOffered } from "./until-offered.ts";

async function connect({ workspace, environment }: Cli, words: readonly string[]): Promise<Client> {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: "auto" } });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [mainFile, ...words],
      cwd: workspace,
      env: environment as Record<string, string>,
      stderr: "ignore",
    }),
  );
  return client;
}

async function namesOf(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).filter((name) => name.startsWith("mcp__"));
}

test("a gateway serves two servers under its own rules and with receipts", async () => {
  const cli = await createCli();
  const one = await sampleServer([define("echo"), define("fail"), define("forbidden")]);
  const servers = join(cli.workspace, "servers.json");
  await writeFile(servers, JSON.stringify({ mcpServers: { one: one.options } }));
  const config = join(cli.workspace, "config.json");
  const permissions = { mode: "auto", allow: ["@network", "@execute"], deny: ["mcp__one__forbidden"] };
  await writeFile(config, JSON.stringify({ mcpServers: { two: rawServer("plain") }, permissions }));

  const words = ["--gateway", servers, "--config", config, "--session", "gate", "--tools", "mcp__*"];
  const client = await connect(cli, ["mcp", ...words]);
  await untilOffered(client, "mcp__one__echo", "mcp__two__ask");
  // What is denied whatever its input is not offered.
  expect(await namesOf(client)).toEqual(["mcp__one__echo", "mcp__one__fail", "mcp__two__ask"]);
  // Nor is a built-in tool, since only those of servers were asked for.
  expect((await client.listTools()).tools).toHaveLength(3);
  const call = (name: string, input: Record<string, unknown> = {}) =>
    client.callTool({ name, arguments: input });
  expect((await call("mcp__one__echo", { a: 1 })).content).toEqual([{ type: "text", text: '{"a":1}' }]);
  expect((await call("mcp__two__ask")).content).toEqual([{ type: "text", text: "answered as ever" }]);
  expect(await call("mcp__one__fail")).toMatchObject({ isError: true });
  expect(await call("mcp__one__forbidden")).toMatchObject({ isError: true });
  await client.close();

  const { stdout } = await cli(["log", "--json", "--session", "gate"]);
  const receipts = parseLines(stdout).map(({ tool, status }) => `${tool} ${status}`);
  expect(receipts.toReversed()).toEqual([
    "mcp__one__echo done",
    "mcp__two__ask done",
    "mcp__one__fail failed",
    "mcp__one__forbidden denied",
  ]);
  expect((await cli(["log", "--verify"])).exitCode).toBe(0);
}, 60_000);

test("mcp without --gateway starts no other server, and refuses files of servers", async () => {
  const cli = await createCli();
  const config = join(cli.workspace, "config.json");
  const { options } = await sampleServer([define("echo")]);
  await writeFile(config, JSON.stringify({ mcpServers: { one: options } }));
  const client = await connect(cli, ["mcp", "--config", config]);
  expect(await namesOf(client)).toEqual([]);
  const { exitCode, stderr } = await cli(["mcp", config]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain("need --gateway");
}, 60_000);

test("files for --gateway that mean different servers by one name are refused, and the same server twice is one", async () => {
  const server = { command: "some-server", enabled: false };
  const cli = await createCli({
    "one.json": JSON.stringify({ mcpServers: { same: server, differs: server } }),
    "two.json": JSON.stringify({ mcpServers: { differs: { ...server, args: ["--other"] } } }),
    "three.json": JSON.stringify({ mcpServers: { same: server } }),
  });
  const { exitCode, stderr } = await cli(["mcp", "--gateway", "one.json", "two.json"]);
  expect([exitCode, stderr]).toEqual([
    2,
    expect.stringContaining("one.json and two.json define different MCP servers named differs"),
  ]);
  const same = await cli(["mcp", "--gateway", "one.json", "three.json"]);
  expect([same.exitCode, same.stderr]).toEqual([0, expect.stringContaining("MCP server same is disabled")]);
});

test("servers of the workspace are approved at the terminal, and a change of them is shown as a diff", async () => {
  const cli = await createCli();
  const sample = await sampleServer([define("echo")]);
  const file = join(cli.workspace, ".toolwright", "mcp.json");
  await mkdir(join(cli.workspace, ".toolwright"), { recursive: true });
  await writeFile(file, JSON.stringify({ mcpServers: { local: sample.options } }));

  const echo = ["call", "mcp__local__echo", '{"a":1}', "--mode", "auto"];
  expect(await cli(echo)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("allow it with `toolwright approve mcp:local`"),
  });
  const shown = await cli(["approvals"]);
  expect(shown.stdout).toContain("mcp:local@");
  expect(shown.stdout).toContain("sample-server.ts");
  const [waiting] = parseLines((await cli(["approvals", "--json"])).stdout);
  expect(await cli(["approve", String(waiting?.id)])).toMatchObject({ exitCode: 0 });
  expect(await cli(echo)).toMatchObject({ exitCode: 0, stdout: '{"a":1}\n' });

  await sample.list([define("echo", { description: "Now \u001b[31msomething else" })]);
  const refused = await cli(echo);
  expect(refused.exitCode).toBe(1);
  expect(refused.stderr + refused.stdout).toContain("toolwright approve mcp:local/echo");
  const changed = await cli(["approvals"]);
  expect(changed.stdout).toContain('-  "description": "The tool echo"');
  expect(changed.stdout).not.toContain("\u001b");
  expect(await cli(["deny", "mcp:local/echo"])).toMatchObject({ exitCode: 0 });
  expect((await cli(["approvals"])).stderr).toContain("nothing needs approval");
  expect(await cli(["approve", "mcp:nobody"])).toMatchObject({ exitCode: 2 });

  await sample.list([define("odd $(id)")]);
  await cli(["approvals"]);
  await sample.list([define("odd $(id)", { description: "Another" })]);
  expect((await cli(["approvals"])).stdout).toMatch(
    /^\(changed\)\n {2}\| 'mcp:local\/odd \$\(id\)@[\da-f]{32}'$/m,
  );
}, 120_000);
