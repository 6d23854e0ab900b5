import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { createCli, mainFile, startNode } from "./run-cli.ts";

const verbs = ["call", "tools", "mcp", "explain", "log", "migrate", "sessions", "doctor"];

const testWithOldNode = await needs(async () => {
  const version = await promisify(execFile)("/usr/bin/node", ["--version"]).catch(() => ({ stdout: "" }));
  const [major = 0] = version.stdout.slice(1).split(".").map(Number);
  return major >= 18 && major < 22 ? undefined : "/usr/bin/node is not there, or not of version 18 to 21";
});

test("--version prints the version of the package", async () => {
  const cli = await createCli();
  const { version } = JSON.parse(await readFile(new URL("../../../package.json", import.meta.url), "utf8"));
  expect(await cli(["--version"])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
  expect(await cli(["--json", "-v"])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
});

test("--help lists the verbs, and without any argument so does stderr", async () => {
  const cli = await createCli();
  const asked = await cli(["--help"]);
  expect(asked.exitCode).toBe(0);
  for (const verb of verbs) expect(asked.stdout).toContain(`\n  ${verb} `);
  expect(await cli(["-h"])).toEqual(asked);
  const bare = await cli([]);
  expect(bare).toEqual({ exitCode: 2, stdout: "", stderr: asked.stdout });
});

test.each(verbs)("%s --help tells its purpose, usage, flags and an example that works", async (verb) => {
  const cli = await createCli({ ".env": "SECRET=1" });
  const { exitCode, stdout } = await cli([verb, "--help"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`Usage: toolwright ${verb}`);
  for (const flag of ["workspace", "session", "mode", "dialect", "store", "config", "json", "help"]) {
    expect(stdout).toContain(`--${flag} `);
  }
  const [, example = ""] = /Example:\n {2}toolwright (.*)\n/.exec(stdout) ?? [];
  const words = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
  expect((await cli(words)).exitCode).toBe(0);
});

test("help shows the same as --help, of everything and of a command", async () => {
  const cli = await createCli();
  expect(await cli(["help"])).toEqual(await cli(["--help"]));
  expect(await cli(["help", "call"])).toEqual(await cli(["call", "--help"]));
  const { exitCode, stderr } = await cli(["help", "cal"]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'toolwright: unknown command "cal"; did you mean call?\n',
  });
});

test("an unknown command is refused with the nearest one", async () => {
  const cli = await createCli();
  const { exitCode, stdout, stderr } = await cli(["explian"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toBe('toolwright: unknown command "explian"; did you mean explain?\n');
});

test("run without a task is wrong usage", async () => {
  const cli = await createCli();
  expect((await cli(["run"])).exitCode).toBe(2);
});

test.each([
  [["log", "--limti", "3"], "unknown flag --limti; did you mean --limit?"],
  [["tools", "--verify"], "unknown flag --verify for tools"],
  [["call", "file_list", "--session"], "--session needs a value"],
  [["call"], "missing argument; usage: toolwright call <tool>"],
  [["sessions", "all"], 'unexpected argument "all"; usage: toolwright sessions'],
  [["call", "file_list", "{}", "--timeout", "soon"], "--timeout must be a whole number"],
  [["log", "--limit", "0"], "--limit must be a whole number"],
  [["call", "file_list", "--mode", "yolo"], "--mode must be one of readonly, ask, edit, auto"],
  [["call", "file_list", "--dialect", "klingon"], "dialect must be one of"],
  [["call", "file_list", "--session", "a b"], "a session's id must be"],
  [["log", "--store", "sqlite:no/such/folder.db"], "--store: the folder /"],
  [["call", "file_list", "--workspace", "nowhere"], "the workspace folder nowhere cannot be opened"],
])("%j is wrong usage", async (words, message) => {
  const cli = await createCli();
  const { exitCode, stdout, stderr } = await cli(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(`toolwright: ${message}`);
  expect(stderr.trimEnd()).not.toContain("\n");
});

test.each([
  [["call", "--session", "--json", "file_list"], "--session needs a value"],
  [["call", "file_list", "--json=yes"], "--json takes no value"],
  [["explian", "--json"], 'unknown command "explian"'],
  [["--json"], "no command given"],
  [["call", "file_list", "{", "--json"], "not valid JSON"],
  [["log", "--json", "--store", "sqlite:no/such/folder.db"], "--store: the folder /"],
  [["call", "file_list", "--json", "--workspace", "nowhere"], "the workspace folder nowhere"],
])("%j is wrong usage, told as JSON with --json", async (words, message) => {
  const cli = await createCli();
  const { exitCode, stdout, stderr } = await cli(words);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "failed",
    error: { message: expect.stringContaining(message), retryable: false },
  });
  expect(stdout.trimEnd()).not.toContain("\n");
  expect(stderr).not.toBe("");
});

test("flags may stand before and after the positionals", async () => {
  const cli = await createCli({ "a.txt": "hello\n" });
  const input = '{"path":"a.txt"}';
  const lines = await Promise.all([
    cli(["--session", "one", "call", "file_read", input]),
    cli(["call", "--session", "one", "file_read", input]),
    cli(["call", "file_read", input, "--session=one"]),
  ]);
  for (const line of lines) expect(line).toEqual({ exitCode: 0, stdout: "     1\thello\n", stderr: "" });
});

test("an unexpected error is one sentence, with its stack only on request", async () => {
  const cli = await createCli();
  const words = ["sessions", "--store", "sqlite:/dev/null/store"];
  const short = await cli(words);
  expect(short.exitCode).toBe(1);
  expect(short.stderr).toMatch(/^toolwright: .+\n$/);
  const long = await cli(words, { environment: { TOOLWRIGHT_DEBUG: "1" } });
  expect(long.stderr).toContain("\n    at ");
});

test("a reader that leaves early ends the command without a word", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  const words = ["explain", "--batch", "-"];
  const child = startNode([mainFile, ...words], { cwd: cli.workspace, env: cli.environment });
  child.stdout.destroy();
  child.stdin.on("error", () => {});
  child.stdin.end('{"id":1,"tool":"file_list"}\n'.repeat(5000));
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});

testWithOldNode("an old Node gets one sentence", async () => {
  const failure = await promisify(execFile)("/usr/bin/node", [mainFile, "tools"]).catch((error) => error);
  expect({ code: failure.code, stdout: failure.stdout }).toEqual({ code: 1, stdout: "" });
  expect(failure.stderr).toMatch(/^Toolwright needs Node 22\.18 or newer; this is v\d+\.\d+\.\d+\.\n$/);
});

test("a store of an unknown kind is wrong usage", async () => {
  const cli = await createCli();
  for (const words of [["call", "file_list"], ["log"], ["sessions"]]) {
    const { exitCode, stderr } = await cli([...words, "--store", "foo:bar"]);
    expect([words, exitCode]).toEqual([words, 2]);
    expect(stderr).toContain('unknown store "foo:bar"');
  }
});

test.each(["log", "sessions"])("%s --help says what --json prints", async (verb) => {
  const cli = await createCli();
  expect((await cli([verb, "--help"])).stdout).toContain("--json prints one object per line.");
});

const testWithFullDevice = await needs(() =>
  access("/dev/full").then(
    () => undefined,
    () => "there is no /dev/full",
  ),
);

testWithFullDevice("output that the disk has no room for is a failure, and stderr says so", async () => {
  const { workspace, environment: env } = await createCli();
  const words = ["-c", '"$0" "$1" tools > /dev/full', process.execPath, mainFile];
  const failure = await promisify(execFile)("sh", words, { cwd: workspace, env }).catch((error) => error);
  expect([failure.code, failure.stderr]).toEqual([
    1,
    expect.stringContaining("could not write all of the output: ENOSPC"),
  ]);
});
