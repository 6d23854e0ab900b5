import { once } from "node:events";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { define, rawServer, sampleServer } from "../../capabilities/mcp-client/sample-servers.ts";
import { listenWithSignIn } from "../../capabilities/mcp-client/sign-in-server.ts";
import { createCli, mainFile } from "../../faces/cli/run-cli.ts";
import { startTerminal, testAtTerminal } from "../../faces/cli/start-terminal.ts";
import { casesOf } from "../../support/fuzz.ts";
import { until } from "../../support/until.ts";
import { startCli } from "../start-cli.ts";

/** A server that starts to answer only when it may, as one that is fetched from the network first. */
async function createSlowServer() {
  const { options } = await sampleServer([define("echo")]);
  const cli = await createCli({ "notes.txt": "three small words\n" });
  const leave = join(cli.folder, "leave");
  const script = 'touch "$0.started"; until test -e "$0"; do sleep 0.1; done; exec "$@"';
  const slow = { command: "sh", args: ["-c", script, leave, options.command, ...(options.args ?? [])] };
  await writeFile(join(cli.workspace, "config.json"), JSON.stringify({ mcpServers: { slow } }));
  const start = (words: readonly string[]) => {
    const child = startCli(cli, [...words, "--config", "config.json", "--mode", "auto"]);
    child.stdin.end();
    const told = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk) => (told.stdout += chunk));
    child.stderr.on("data", (chunk) => (told.stderr += chunk));
    const ended = once(child, "close").then(([exitCode]) => ({ exitCode, ...told }));
    const says = (text: string) => vi.waitFor(() => expect(told.stderr).toContain(text), waiting);
    return { child, ended, says };
  };
  const hasStarted = async () => (await readdir(cli.folder)).includes("leave.started");
  return { start, hasStarted, allow: () => writeFile(leave, "") };
}

const waiting = { timeout: 45_000, interval: 50 };
const said = "Waiting for the MCP server slow";

const waitingVerbs: [string[], string][] = [
  [["call", "mcp_slow_echo", '{"a":1}'], '{"a":1}\n'],
  [["tools"], "mcp__slow__echo"],
  [["call", "mcp__slow__echo", '{"a":1}'], '{"a":1}\n'],
  [["explain", "mcp__slow__echo", "{}"], "mcp:slow/echo"],
  [["tools", "mcp__slow__echo"], "The tool echo"],
];

test.each(casesOf({ sample: waitingVerbs.slice(0, 2), full: waitingVerbs }))(
  "%j waits until its server is there, and says so",
  async (words, answer) => {
    const { start, hasStarted, allow } = await createSlowServer();
    const { says, ended } = start(words);
    await says(said);
    await vi.waitUntil(hasStarted, waiting);
    await allow();
    const { exitCode, stdout, stderr } = await ended;
    expect([exitCode, stderr]).toEqual([0, expect.stringContaining(said)]);
    expect(stdout).toContain(answer);
  },
  60_000,
);

test("Ctrl-C ends the waiting for a server, and the call with it", async () => {
  const { start } = await createSlowServer();
  const { child, says, ended } = start(["call", "mcp__slow__echo"]);
  await says(said);
  child.kill("SIGINT");
  const { exitCode, stderr } = await ended;
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("interrupted by SIGINT")]);
}, 60_000);

test("a call's own timeout bounds the waiting for its server", async () => {
  const { start } = await createSlowServer();
  const { exitCode, stderr } = await start(["call", "mcp__slow__echo", "--timeout", "200"]).ended;
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("it is still connecting")]);
}, 60_000);

test("a call that does not need the server neither waits for it nor starts it", async () => {
  const { start, hasStarted } = await createSlowServer();
  for (const words of [
    ["call", "file_read", '{"path":"notes.txt"}'],
    ["call", "mcp__other__echo"],
  ]) {
    expect((await start(words).ended).stderr).not.toContain("Waiting");
  }
  expect(await hasStarted()).toBe(false);
}, 60_000);

testAtTerminal(
  "a call at a terminal waits until the person has signed in to its server",
  async () => {
    const { url } = await listenWithSignIn();
    const cli = await createCli();
    const mcpServers = { remote: { url, signIn: true } };
    await writeFile(join(cli.workspace, "config.json"), JSON.stringify({ mcpServers }));
    const words = ["call", "mcp__remote__ask", "--config", "config.json", "--mode", "auto"];
    // Nobody is there to sign in.
    const { exitCode, stderr } = await cli(words);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("sign-in required")]);

    const terminal = startTerminal([process.execPath, mainFile, ...words], {
      cwd: cli.workspace,
      env: cli.environment,
    });
    const asked = () => /sign-in required: open (\S+)\s/.exec(terminal.text()) ?? [];
    await until(() => asked().length > 0);
    const [, address = ""] = asked();
    expect(await (await fetch(address)).text()).toContain("close this page");
    expect([await terminal.exited, terminal.text()]).toEqual([0, expect.stringContaining("come in")]);
  },
  60_000,
);

test("a server that cannot be started is not waited for", async () => {
  const cli = await createCli();
  const mcpServers = { gone: rawServer("complaining") };
  await writeFile(join(cli.workspace, "config.json"), JSON.stringify({ mcpServers }));
  const { exitCode, stderr } = await cli(["call", "mcp__gone__ask", "--config", "config.json"]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining("cannot read my configuration")]);
}, 60_000);
