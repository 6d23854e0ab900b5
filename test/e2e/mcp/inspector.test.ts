import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { type Cli, createCli, mainFile, parseLines, startNode } from "../../faces/cli/run-cli.ts";
import { casesOf } from "../../support/fuzz.ts";
import { type Served, serve } from "./serve-cli.ts";

// Every step starts the inspector, and over stdio the server with it.
vi.setConfig({ testTimeout: 300_000 });

const require = createRequire(import.meta.url);
const inspector = require.resolve("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
// By the one a client begins with `initialize`, by the other it asks right away.
const eras = ["legacy", "modern"] as const;
const transports = ["stdio", "http"] as const;
const ways = casesOf<Way>({
  sample: [{ transport: "http", era: "modern" }],
  full: transports.flatMap((transport) => eras.map((era) => ({ transport, era }))),
});

test.each(ways)("the inspector does its work over $transport by the $era protocol", async (way) => {
  const { cli, inspect } = await openInspector(way, ["--mode", "edit"]);
  const listed = await inspect("tools/list", ["--strict"]);
  expect(listed).toMatchObject({ exitCode: 0, stderr: "" });
  expect(valuesOf(listed.result, "tools", "name")).toEqual(expect.arrayContaining(["Read", "Write", "Bash"]));

  const input = { file_path: join(cli.workspace, "new", "b.txt"), content: "from the inspector\n" };
  expect(await inspect("tools/call", useOf("Write", input))).toMatchObject({ exitCode: 0 });
  expect(await readFile(input.file_path, "utf8")).toBe("from the inspector\n");

  const refused = await inspect("tools/call", useOf("Bash", { command: "node ran.js" }));
  expect(refused).toMatchObject({
    exitCode: isErrorExitCode,
    result: { isError: true, _meta: { "toolwright/error": { code: "approval-needed" } } },
    stderr: expect.stringContaining("tool_is_error"),
  });

  const { result: resources } = await inspect("resources/list");
  expect(valuesOf(resources, "resources", "title")).toEqual([
    "Receipt: shell_run, denied",
    "Receipt: file_write, done",
  ]);
  const [, uri] = valuesOf(resources, "resources", "uri");
  const receipt = await inspect("resources/read", ["--uri", String(uri)]);
  const [text] = valuesOf(receipt.result, "contents", "text");
  expect(JSON.parse(String(text))).toMatchObject({
    tool: "file_write",
    status: "done",
    caller: { kind: "mcp", name: expect.stringContaining("inspector"), transport: way.transport },
  });
});

test.each(casesOf({ sample: ["stdio"] as const, full: transports }))(
  "the inspector can call a hundred times at once over %s",
  async (transport) => {
    const { cli, inspect } = await openInspector({ transport, era: "modern" }, []);
    const load = ["--load", "--load-requests", "100", "--load-concurrency", "100"];
    const words = [...useOf("Read", { file_path: join(cli.workspace, "a.txt") }), ...load];
    expect(await inspect("tools/call", words)).toMatchObject({ exitCode: 0 });
    const log = await cli(["log", "--json", "--limit", "200"]);
    const statuses = parseLines(log.stdout).map(({ status }) => status);
    expect(statuses).toEqual(Array(100).fill("done"));
  },
);

test("the inspector without the token is not let in", async () => {
  const cli = await createCli();
  const { url } = await serve(cli, []);
  const wrong = ["--header", "Authorization: Bearer wrong"];
  const words = [url, "--stored-auth-only", ...wrong, "--method", "tools/list"];
  const { exitCode, stdout } = await runInspector(cli, words);
  expect(exitCode).not.toBe(0);
  expect(stdout).not.toContain("Read");
});

const isErrorExitCode = 5;

interface Way {
  readonly transport: (typeof transports)[number];
  readonly era: (typeof eras)[number];
}

/** A workspace, and the inspector's command line on a server for it. */
async function openInspector({ transport, era }: Way, words: readonly string[]) {
  const cli = await createCli({ "a.txt": "in the file\n" });
  const target =
    transport === "stdio"
      ? [...settings(cli), process.execPath, mainFile, "mcp", "--session", "kept", ...words]
      : targetOf(await serve(cli, words));
  const inspect = (method: string, more: readonly string[] = []) =>
    runInspector(cli, [...target, "--protocol-era", era, "--method", method, ...more]);
  return { cli, inspect };
}

/** The inspector passes on few variables by itself. */
function settings({ workspace, environment }: Cli): string[] {
  const passedOn = ["XDG_STATE_HOME", "NODE_COMPILE_CACHE"].map((name) => `${name}=${environment[name]}`);
  return ["--cwd", workspace, ...passedOn.flatMap((variable) => ["-e", variable])];
}

function targetOf({ url, token }: Served): string[] {
  return [url, "--header", `Authorization: Bearer ${token}`];
}

async function runInspector(cli: Cli, words: readonly string[]) {
  const child = startNode([inspector, "--cli", ...words], { cwd: cli.workspace, env: cli.environment });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end();
  const closed = once(child, "close") as Promise<[number | null]>;
  const [stdout, stderr, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  return { exitCode, stdout, stderr, result: parseJson(stdout) };
}

/** Where it fails before there is a result, it prints none. */
function parseJson(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    return undefined;
  }
}

function useOf(tool: string, input: object): string[] {
  return ["--tool-name", tool, "--tool-args-json", JSON.stringify(input)];
}

function valuesOf(result: unknown, list: string, key: string): unknown[] {
  const { [list]: entries = [] } = result as Record<string, readonly Record<string, unknown>[]>;
  return entries.map((entry) => entry[key]);
}
