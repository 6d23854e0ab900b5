import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { whyUnsupported } from "../../../../../src/kernel/runtime/places/supported-engine.ts";
import { openKernelLock } from "../../../../../src/machine/locks/kernel-lock.ts";
import { casesOf } from "../../../../support/fuzz.ts";
import { createCli } from "../../run-cli.ts";

test("a sound installation has nothing that fails", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  const { exitCode, stdout } = await cli(["doctor"]);
  expect(exitCode).toBe(0);
  for (const line of [
    /^ok +node +v\d+/m,
    /^ok +toolwright +\d+\.\d+\.\d+/m,
    /^ok +state folder +\//m,
    /^ok +locks +free, in \//m,
    /^ok +store +opens/m,
    /^ok +receipts +1 in 1 session, every chain is intact/m,
    /^ok +tools +\d+, no problems/m,
    /^ok +skills +0, no problems/m,
    /^ok +kinds of agents +0, no problems/m,
  ]) {
    expect(stdout).toMatch(line);
  }
  const findings = JSON.parse((await cli(["doctor", "--json"])).stdout);
  expect(findings).toContainEqual({ check: "store", mark: "ok", found: "opens" });
  expect(findings).toContainEqual({
    check: "ripgrep",
    mark: "ok",
    found: expect.stringMatching(/^ripgrep [\d.]+ .*\(.*\/rg\)$/),
  });
});

test("a missing program is a warning that tells what to install", async () => {
  const cli = await createCli();
  const { exitCode, stdout } = await cli(["doctor"], { environment: { PATH: cli.folder } });
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^warn +git +not found; install git/m);
});

test("the sandbox is shown, or that there is none", async () => {
  const cli = await createCli();
  expect((await cli(["doctor"])).stdout).toMatch(/^(?:ok|warn) +sandbox +commands run/m);
  await writeFile(join(cli.folder, "off.json"), JSON.stringify({ sandbox: "off" }));
  const { stdout } = await cli(["doctor", "--config", join(cli.folder, "off.json")]);
  expect(stdout).toMatch(/^warn +sandbox +commands run WITHOUT a sandbox: it was switched off/m);
});

test("a skill that cannot be used is a warning that names its file and line", async () => {
  const cli = await createCli();
  const folder = join(cli.workspace, ".skills/broken\u001b[2J");
  await mkdir(folder, { recursive: true });
  await mkdir(join(cli.workspace, ".skills/silent"));
  await writeFile(join(cli.workspace, ".skills/silent/SKILL.md"), "---\nname: silent\n---\n");
  const { exitCode, stdout } = await cli(["doctor"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^warn +skills +\.skills\/silent\/SKILL\.md:1: .*no description/m);
  expect(stdout).toMatch(/^warn +skills +\.skills\/broken\[2J: its name/m);
  expect(stdout).not.toContain("\u001b[2J");
});

test("a kind of agent that cannot be used is a warning that names its file and line", async () => {
  const cli = await createCli({
    ".toolwright/agents/silent.md": "---\nname: silent\n---\nYou read.\n",
    ".claude/agents/reader.md": "---\ndescription: Reads\n---\nYou read.\n",
  });
  const { exitCode, stdout } = await cli(["doctor"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^warn +kinds of agents +\.toolwright\/agents\/silent\.md:1: .*no description/m);
  expect(stdout).not.toContain("reader.md");
});

test("a kind of agent in the configuration is looked at as one in code is", async () => {
  const cli = await createCli({
    "good.json": '{"agents":{"templates":{"reader":{"description":"Reads"}}}}',
    "bad.json": '{"agents":{"templates":{"reader":{"descripton":"Reads"}}}}',
  });
  const good = await cli(["doctor", "--config", "good.json"]);
  expect(good.stdout).toMatch(/^ok +kinds of agents +1, no problems/m);
  const bad = await cli(["doctor", "--config", "bad.json"]);
  expect(bad.stdout).toContain("agents.templates.reader.descripton is not an option; did you mean");
});

test("a state folder that others can look into is a warning", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  const base = join(cli.folder, "state", "toolwright");
  const [name = ""] = await readdir(base);
  await chmod(join(base, name), 0o755);
  const { exitCode, stdout } = await cli(["doctor"]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(
    /^warn +state folder +.* was accessible to other users \(mode 755\); it is made private/m,
  );
});

test("doctor runs no program of the workspace, even if the PATH leads there", async () => {
  const cli = await createCli({ "bin/git": "#!/bin/sh\necho planted > ../planted\necho git version 9" });
  await chmod(join(cli.workspace, "bin", "git"), 0o755);
  const PATH = `${join(cli.workspace, "bin")}:bin:${process.env.PATH}`;
  const { stdout } = await cli(["doctor"], { environment: { PATH } });
  expect(stdout).toMatch(/^ok +git +git version (?!9\n)/m);
  expect(await readdir(cli.folder)).not.toContain("planted");
});

// Each is waited for.
const lockCases = casesOf({
  sample: ["own.sqlite-intents/steps.lock"],
  full: ["files", "pins"]
    .map((name) => `state/toolwright-locks/${name}.lock`)
    .concat(["steps", "recovery"].map((name) => `own.sqlite-intents/${name}.lock`)),
});

test.each(lockCases)(
  "a lock that a process keeps is named with the process that has it (%s)",
  async (name) => {
    const cli = await createCli();
    const file = join(cli.folder, name);
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const lock = openKernelLock(file);
    lock.take();
    const { exitCode, stdout } = await cli(["doctor", "--store", `sqlite:${join(cli.folder, "own.sqlite")}`]);
    lock.close();
    expect(exitCode).toBe(1);
    const found = new RegExp(
      `^fail +locks +\\w+ .*${basename(name)} for more than 1 s; If it is suspended, resume it`,
      "m",
    );
    expect(stdout).toMatch(found);
  },
);

test("a store that does not open fails, and the rest is still checked", async () => {
  const cli = await createCli();
  const blocked = join(cli.folder, "blocked.sqlite");
  await mkdir(blocked);
  const { exitCode, stdout } = await cli(["doctor", "--store", `sqlite:${blocked}`]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^fail +runtime +cannot open the store/m);
  expect(stdout).toMatch(/^\w+ +git/m);
});

test("a broken tool file fails and is named", async () => {
  const cli = await createCli({
    "tools/note/bad.mjs": "export default 5;",
    "config.json": '{"toolFolders":["tools"]}',
  });
  const { exitCode, stdout } = await cli(["doctor", "--config", "config.json"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^fail +tools +note\/bad\.mjs/m);
});

test("a mistake in the project's configuration is named, and commands that only look still work", async () => {
  const cli = await createCli({ ".toolwright/config.json": '{ "permisions": {} }' });
  const doctor = await cli(["doctor"]);
  expect(doctor.exitCode).toBe(1);
  expect(doctor.stdout).toMatch(/^fail +configuration +.*permisions.*permissions/m);
  expect(doctor.stdout).toMatch(/^ok +store +opens/m);
  const log = await cli(["log"]);
  expect(log).toMatchObject({ exitCode: 0, stderr: expect.stringContaining("permisions") });
  expect((await cli(["help"])).exitCode).toBe(0);
  expect((await cli(["call", "file_list"])).exitCode).toBe(2);
});

test("servers and models are looked at, with what to do about each", async () => {
  const servers = { missing: { command: "/nowhere/server" }, off: { command: "x", enabled: false } };
  const cli = await createCli({
    "config.json": JSON.stringify({ mcpServers: servers }),
    ".toolwright/mcp.json": JSON.stringify({ mcpServers: { theirs: { command: "y" } } }),
  });
  const environment = { OPENAI_API_KEY: "any" };
  const { exitCode, stdout } = await cli(["doctor", "--config", "config.json"], { environment });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^fail +MCP server missing +unavailable: .+; its tools cannot be used/m);
  expect(stdout).toMatch(/^ok +MCP server off +disabled/m);
  expect(stdout).toMatch(
    /^warn +MCP server theirs +unapproved.*; `toolwright approve mcp:theirs` allows it/m,
  );
  expect(stdout).toMatch(/^ok +models of openai +OPENAI_API_KEY is set, and the package is installed/m);
});

test("other engines than Node, and Windows, are refused by name", () => {
  const { versions } = process;
  const under = (others: object, platform: NodeJS.Platform = "linux") =>
    whyUnsupported({ versions: { ...versions, ...others }, platform });
  expect(under({ bun: "1.2" })).toContain("Bun 1.2 cannot run it yet");
  expect(under({ deno: "2.9" })).toContain("Deno 2.9 cannot run it yet");
  expect(under({}, "win32")).toContain("WSL");
  expect(under({}, "darwin")).toBeUndefined();
});
