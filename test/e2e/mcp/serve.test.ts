import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Cli, createCli, mainFile, packageAddress } from "../../faces/cli/run-cli.ts";
import { startTerminal, testAtTerminal } from "../../faces/cli/start-terminal.ts";
import { connectClient } from "../../faces/mcp-server/serve-for-test.ts";
import { freePort } from "../../support/free-port.ts";
import { noSandbox, withoutSandboxNotes } from "../../support/no-sandbox.ts";
import { until } from "../../support/until.ts";
import { startCli } from "../start-cli.ts";

// Each test starts several processes.
vi.setConfig({ testTimeout: 60_000 });

test("serve prints an address and a token that work, and SIGTERM ends it well", async () => {
  const cli = await createCli({ "a.txt": "in the file\n" });
  const { child, url, token } = await serve(cli);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  const client = await connectClient({ url, token });
  const result = await client.callTool({ name: "file_read", arguments: { path: "a.txt" } });
  expect(JSON.stringify(result.content)).toContain("in the file");
  const health = await fetch(new URL("/health", url));
  expect(await health.json()).toEqual({ status: noSandbox === undefined ? "ok" : "degraded" });
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
});

test("serve prints each call on stderr, and --tools chooses which tools it offers", async () => {
  const cli = await createCli({ "a.txt": "in the file\n" });
  const { child, url, token } = await serve(cli, ["--tools", "Read,Glob"]);
  let shown = "";
  child.stderr.on("data", (chunk) => {
    shown += chunk;
  });
  const client = await connectClient({ url, token });
  expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(["Glob", "Read"]);
  await client.callTool({ name: "file_read", arguments: { path: "a.txt" } });
  const refused = await client.callTool({ name: "Bash", arguments: { command: "true" } });
  expect(JSON.stringify(refused)).toContain("Bash is not allowed here; allowed: Read, Glob");
  await until(() => shown.includes("Bash is not allowed here"));
  expect(shown).toMatch(/^default ✓ file_read a\.txt [\d.]+ ms$/m);
  await stop(child);
  const unknown = await cli(["serve", "--tools", "Raed"]);
  expect(unknown).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("Raed") });
});

testAtTerminal("the person who serves is asked where a client cannot ask", async () => {
  const cli = await createCli();
  const words = [process.execPath, mainFile, "serve", "--json", "--port", "0"];
  const terminal = startTerminal(words, { cwd: cli.workspace, env: cli.environment });
  await terminal.waitFor("`toolwright demo`");
  const { url, token } = JSON.parse(/^\{.*\}/m.exec(terminal.text())![0]);
  const client = new Client({ name: "cannot ask", version: "1" });
  onTestFinished(() => client.close());
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const write = () => client.callTool({ name: "file_write", arguments: { path: "b.txt", content: "b" } });
  const left = write();
  await terminal.waitFor("Allow it? [y/N]");
  expect(terminal.text()).toContain("file_write needs approval: b.txt");
  // Ctrl-C is about this call, and not about everybody who is served.
  terminal.type("\u0003");
  expect(JSON.stringify((await left).content)).toContain("the person at the terminal left without an answer");
  const writing = write();
  await terminal.waitUntil((shown) => shown.split("Allow it? [y/N]").length === 3, "a second question");
  terminal.type("y\n");
  expect((await writing).isError).toBeUndefined();
  expect(await readFile(join(cli.workspace, "b.txt"), "utf8")).toBe("b");
});

test("a client's token and session outlive the server, and another client has others", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  const port = String(await freePort());
  const first = await serve(cli, ["--client", "laptop", "--port", port]);
  await callRead(first);
  await stop(first.child);
  const second = await serve(cli, ["--client", "desktop", "--port", port]);
  expect(second.token).not.toBe(first.token);
  // What was pasted for the first client still works, though the server was started for the second.
  await callRead({ url: first.url, token: first.token });
  await callRead(second);
  await stop(second.child);
  const third = await serve(cli, ["--client", "laptop", "--port", port]);
  expect(third.token).toBe(first.token);
  await stop(third.child);
  const { stdout } = await cli(["sessions", "--json"]);
  const sessions = stdout
    .trim()
    .split("\n")
    .flatMap((line) => JSON.parse(line));
  expect(sessions).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: "mcp-laptop", calls: 2 }),
      expect.objectContaining({ id: "mcp-desktop", calls: 1 }),
    ]),
  );
});

test("tokens are for the user's eyes alone, and no tool can read them", async () => {
  const cli = await createCli();
  const { url, token, child } = await serve(cli, ["--mode", "auto"]);
  const [state] = await readdir(join(cli.folder, "state", "toolwright"));
  const file = join(cli.folder, "state", "toolwright", state!, "mcp-clients", "default.token");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readFile(file, "utf8")).trim()).toBe(token);
  const client = await connectClient({ url, token });
  const result = await client.callTool({ name: "file_read", arguments: { path: file } });
  expect(result.isError).toBe(true);
  expect(JSON.stringify(result)).not.toContain(token);
  await stop(child);
});

test("every client configuration that serve prints holds what its client needs", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  const { url, token, configurations } = await serve(cli, ["--mode", "readonly"]);
  const textOf = (client: string) => configurations.find((each) => each.client === client)!.text;
  const headersBy = (reference: string) => ({ Authorization: `Bearer ${reference}` });
  expect(textOf("Claude Code")).toBe(
    `claude mcp add --transport http toolwright ${url} --header "Authorization: Bearer ${token}"`,
  );
  const inCursor = { url, headers: headersBy(`\${env:${"TOOLWRIGHT_TOKEN"}}`) };
  expect(JSON.parse(textOf("Cursor"))).toEqual({ mcpServers: { toolwright: inCursor } });
  const { inputs, servers } = JSON.parse(textOf("VS Code"));
  expect(inputs).toMatchObject([{ type: "promptString", password: true }]);
  const inVsCode = { type: "http", url, headers: headersBy(`\${input:${inputs[0].id}}`) };
  expect(servers).toEqual({ toolwright: inVsCode });
  expect(textOf("Codex").split("\n")).toEqual([
    "[mcp_servers.toolwright]",
    `url = "${url}"`,
    'bearer_token_env_var = "TOOLWRIGHT_TOKEN"',
  ]);
  const inGemini = { httpUrl: url, headers: headersBy(`\${${"TOOLWRIGHT_TOKEN"}}`) };
  expect(JSON.parse(textOf("Gemini CLI"))).toEqual({ mcpServers: { toolwright: inGemini } });
  const inOpencode = { type: "remote", url, headers: headersBy("{env:TOOLWRIGHT_TOKEN}") };
  expect(JSON.parse(textOf("opencode")).mcp).toEqual({ servers: { toolwright: inOpencode } });
  // Only what is kept in the home folder, or is a command, holds the token itself.
  expect(configurations.filter(({ text }) => text.includes(token)).map(({ client }) => client)).toEqual([
    "Claude Code",
  ]);
  const { command, args } = JSON.parse(textOf("Claude Desktop")).mcpServers.toolwright;
  const client = new Client({ name: "desktop", version: "1" });
  onTestFinished(() => client.close());
  const env = cli.environment as Record<string, string>;
  await client.connect(new StdioClientTransport({ command, args, env, cwd: "/", stderr: "ignore" }));
  const read = await client.callTool({ name: "file_read", arguments: { path: "a.txt" } });
  expect(read.isError).toBeUndefined();
  const write = await client.callTool({ name: "file_write", arguments: { path: "b.txt", content: "b" } });
  expect(write).toMatchObject({
    isError: true,
    _meta: { "toolwright/error": { code: "permission-denied" } },
  });
});

test("the stdio configuration that serve prints finds its files from any folder", async () => {
  const permissions = { mode: "readonly" };
  const cli = await createCli({ "config.json": JSON.stringify({ permissions }) });
  const { configurations } = await serve(cli, ["--config", "config.json", "--store", "sqlite:records.db"]);
  const { text } = configurations.find(({ client }) => client === "Claude Desktop")!;
  const { args } = JSON.parse(text).mcpServers.toolwright;
  const valueAfter = (flag: string) => args[args.indexOf(flag) + 1];
  expect(valueAfter("--config")).toBe(join(cli.workspace, "config.json"));
  expect(valueAfter("--store")).toBe(`sqlite:${join(cli.workspace, "records.db")}`);
});

test("serve without --json prints the configurations to be pasted", async () => {
  const cli = await createCli();
  const child = startCli(cli, ["serve", "--port", "0"]);
  let said = "";
  for await (const line of createInterface(child.stdout)) {
    said += `${line}\n`;
    if (line.includes("opencode.ai")) break;
  }
  for (const name of [
    "Claude Code",
    "Claude Desktop",
    "Cursor",
    "VS Code",
    "Codex",
    "Gemini CLI",
    "opencode",
  ])
    expect(said).toContain(`${name} (`);
  await stop(child);
});

test("a call under way when the server is told to stop is recorded, and its client hears of it", async () => {
  const { cli, words } = await createCliThatHangs();
  const { child, url, token } = await serve(cli, words);
  const client = await connectClient({ url, token });
  const hanging = Promise.withResolvers<void>();
  const call = client.callTool({ name: "hang" }, { onprogress: () => hanging.resolve() });
  await hanging.promise;
  const exited = once(child, "exit");
  child.kill("SIGINT");
  expect(await call).toMatchObject({ isError: true, _meta: { "toolwright/status": "cancelled" } });
  expect(await exited).toEqual([0, null]);
  const { stdout } = await cli(["log", "--json", "--session", "mcp-default"]);
  expect(JSON.parse(stdout.trim().split("\n")[0]!)).toMatchObject({ tool: "hang", status: "cancelled" });
});

test("a call that was under way when the server was killed is sealed by the next one", async () => {
  const { cli, words } = await createCliThatHangs();
  const first = await serve(cli, words);
  const client = await connectClient(first);
  const hanging = Promise.withResolvers<void>();
  client.callTool({ name: "hang" }, { onprogress: () => hanging.resolve() }).catch(() => {});
  await hanging.promise;
  first.child.kill("SIGKILL");
  const second = await serve(cli, words);
  const again = await connectClient(second);
  const { resources } = await again.listResources();
  expect(resources.map(({ title }) => title)).toEqual(["Receipt: hang, sealed"]);
  await stop(second.child);
});

test("serve refuses wrong usage and a port that is taken, and says why", async () => {
  const cli = await createCli();
  const cases = [
    [["--port", "http"], 2, "--port must be a number"],
    [["--client", "a b"], 2, "a client's name must be"],
    [["--session", "mine"], 2, "each client has its own"],
    [["--host", "no-such-name.invalid"], 2, "--host: no-such-name.invalid is not an address of this machine"],
    [["--host", "203.0.113.7"], 2, "--host: 203.0.113.7 is not an address of this machine"],
    [["--allow-host", "https://tools.example"], 2, '"https://tools.example" is not a host name'],
    [["--allow-host", "a.example,"], 2, '"" is not a host name'],
    [["--gateway", "nowhere.json"], 2, "nowhere.json: no such file"],
  ] as const;
  for (const [words, exitCode, message] of cases) {
    const result = await cli(["serve", "--port", "0", ...words]);
    expect(result).toMatchObject({ exitCode, stdout: "", stderr: expect.stringContaining(message) });
  }
  const { url, child } = await serve(cli);
  const { port } = new URL(url);
  const taken = await cli(["serve", "--port", port]);
  expect(taken).toMatchObject({
    exitCode: 1,
    stdout: "",
    stderr: expect.stringContaining(`port ${port} is in use`),
  });
  await stop(child);
});

test("a client's method name is shown on one line, and cannot act on the terminal", async () => {
  const cli = await createCli();
  const { url, token, child } = await serve(cli);
  const said: string[] = [];
  const lines = createInterface(child.stderr).on("line", (line) => said.push(line));
  const headers = {
    Authorization: `Bearer ${token}`,
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    "MCP-Protocol-Version": "2026-07-28",
    "Mcp-Method": "tools/list",
  };
  const method = `\u001b[2J\u202e\n${"long ".repeat(1000)}`;
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { _meta } });
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(400);
  const closed = once(lines, "close");
  await stop(child);
  await closed;
  const [told = "", ...others] = said.filter((line) => line.includes("long"));
  expect(told).toContain(String.raw`\u{1b}[2J\u{202e} long`);
  expect(told.length).toBeLessThan(600);
  expect(others).toEqual([]);
});

test("serve on another address than this machine's own says what that means", async () => {
  const cli = await createCli();
  const child = startCli(cli, [
    "serve",
    "--json",
    "--port",
    "0",
    "--host",
    "0.0.0.0",
    "--allow-host",
    "tools.example",
  ]);
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  await until(() => withoutSandboxNotes(said).includes("\n"));
  expect(withoutSandboxNotes(said).split("\n")[0]).toContain("not encrypted");
  await stop(child);
});

/** With a tool that says that it runs, and then does not end by itself. */
async function createCliThatHangs(): Promise<{ cli: Cli; words: string[] }> {
  const cli = await createCli({
    "tools/hang.ts": `import { once } from "node:events";
      import { defineTool } from ${JSON.stringify(packageAddress)};
      export default defineTool({ name: "hang", description: "Hangs", params: {}, traits: { readOnly: true },
        async run(_input, { signal, progress }) { progress("hanging"); await once(signal, "abort"); } });`,
    "config.json": JSON.stringify({ toolFolders: ["tools"] }),
  });
  return { cli, words: ["--config", "config.json"] };
}

interface Served {
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly token: string;
  readonly configurations: readonly { client: string; text: string }[];
}

async function serve(cli: Cli, words: readonly string[] = []): Promise<Served> {
  const child = startCli(cli, [
    "serve",
    "--json",
    ...(words.includes("--port") ? [] : ["--port", "0"]),
    ...words,
  ]);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  return { child, ...JSON.parse(line) };
}

async function stop(child: ChildProcessWithoutNullStreams): Promise<void> {
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exited).toEqual([0, null]);
}

async function callRead({ url, token }: { url: string; token: string }): Promise<void> {
  const client = new Client({ name: "test client", version: "1.0.0" });
  const headers = { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const result = await client.callTool({ name: "file_read", arguments: { path: "a.txt" } });
  expect(result.isError).toBeUndefined();
  await client.close();
}
