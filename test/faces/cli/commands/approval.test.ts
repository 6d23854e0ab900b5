import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { withoutSandboxNotes } from "../../../support/no-sandbox.ts";
import { type Cli, createCliWithTools, mainFile, parseLines } from "../run-cli.ts";
import { startTerminal, testAtTerminal } from "../start-terminal.ts";

const tools = {
  "note/add.mjs": `name: "add", description: "Adds a note",
    params: { text: { type: "string" }, tags: { type: "array", items: { type: "string" }, default: [] } },
    run: (_input, { progress }) => { progress("half\\u001b[2Jway"); return "added"; }`,
};

const columns = 60;

function ask(cli: Pick<Cli, "workspace" | "environment">, input: object) {
  const words = ["call", "note_add", JSON.stringify(input), "--config", "config.json"];
  // The narrower the terminal, the more of it is ours to break.
  const command = ["/bin/sh", "-c", `stty cols ${columns}; exec "$@"`, "sh", process.execPath, mainFile];
  return startTerminal([...command, ...words], { cwd: cli.workspace, env: cli.environment });
}

testAtTerminal("a terminal is asked, shown everything, and may say yes", async () => {
  const cli = await createCliWithTools(tools);
  const end = `the end of ${"a long text ".repeat(100)}${"forged: yes ".repeat(400)}`;
  const terminal = ask(cli, {
    text: `first\nsecond \u202etxt.exe\u001b[1A\u0007 ${end}`,
    tags: ["a\u200bb"],
  });
  await terminal.waitFor("[y/N]");
  const rows = terminal.text().split("\r\n");
  // What goes on in the next row is marked there too.
  expect(rows.filter((row) => row.length > columns)).toEqual([]);
  const shown = rows.join("\n").replaceAll("\n  ↳ ", "");
  expect(shown).toContain("note_add needs approval:");
  expect(shown).toContain("  | first\n  | second \\u{202e}txt.exe\\u{1b}[1A\\u{7} the end of a long text");
  expect(shown).toContain(end);
  expect(shown).toContain('"a\\u{200b}b"');
  expect(shown).toContain("reason:\n  | it may do more than read; mode ask requires approval\n");
  expect(rows.filter((row) => row.startsWith("forged"))).toEqual([]);
  expect(shown).toContain("not everything it touches is known before it runs");
  const beforePrompt = shown.slice(0, shown.indexOf("Allow it?"));
  expect(beforePrompt).not.toMatch(/[\u202e\u200b\u0007]|\u001b\[1A/);
  terminal.type("y\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain("half\\u{1b}[2Jway");
  expect(terminal.text()).toContain("added");
  const [receipt] = parseLines((await cli(["log", "--json"])).stdout);
  expect(receipt).toMatchObject({ status: "done", verdict: { decision: "allow" } });
});

testAtTerminal.each([
  ["n", "n\r"],
  ["an empty line", "\r"],
  ["something else", "maybe\r"],
])("%s denies the call", async (_name, keys) => {
  const cli = await createCliWithTools(tools);
  const terminal = ask(cli, { text: "hi" });
  await terminal.waitFor("[y/N]");
  terminal.type(keys);
  expect(await terminal.exited).toBe(3);
  const [receipt] = parseLines((await cli(["log", "--json"])).stdout);
  expect(receipt).toMatchObject({ status: "denied", code: "permission-denied" });
});

testAtTerminal.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("%s instead of an answer cancels the call, and no decision is recorded", async (_name, keys) => {
  const cli = await createCliWithTools(tools);
  const terminal = ask(cli, { text: "hi" });
  await terminal.waitFor("[y/N]");
  terminal.type(keys);
  expect(await terminal.exited).toBe(1);
  expect(terminal.text()).toContain("was cancelled: the person at the terminal left without an answer");
  const [receipt] = parseLines((await cli(["log", "--json"])).stdout);
  expect(receipt).toMatchObject({ status: "cancelled", code: "cancelled", verdict: { decision: "ask" } });
  expect((await cli(["approvals"])).stderr).toContain("nothing needs approval");
});

testAtTerminal("a terminal that a command of a session has opened is not asked", async () => {
  const cli = await createCliWithTools(tools);
  const environment = { ...cli.environment, TOOLWRIGHT_COMMAND: "of a session" };
  const terminal = ask({ workspace: cli.workspace, environment }, { text: "hi" });
  terminal.type("y\r");
  expect(await terminal.exited).toBe(3);
  expect(terminal.text()).not.toContain("[y/N]");
});

testAtTerminal("a tool's result cannot steer the terminal, and NO_COLOR is kept to", async () => {
  const cli = await createCliWithTools({
    "say/raw.mjs": `name: "raw", description: "Says it", params: {}, traits: { readOnly: true },
      run: () => "a\\u001b[31mb"`,
  });
  const start = (words: string[], environment = {}) =>
    startTerminal([process.execPath, mainFile, ...words, "--config", "config.json"], {
      cwd: cli.workspace,
      env: { ...cli.environment, ...environment },
    });
  const call = start(["call", "say_raw"]);
  expect(await call.exited).toBe(0);
  expect(call.text()).toContain("a\\u{1b}[31mb");
  const coloured = start(["explain", "say_raw"]);
  await coloured.exited;
  expect(coloured.text()).toContain("\u001b[32mallow");
  const plain = start(["explain", "say_raw"], { NO_COLOR: "1" });
  await plain.exited;
  expect(plain.text()).not.toContain("\u001b[");
});

testAtTerminal("a command's output is shown while it runs, as it is", async () => {
  const cli = await createCliWithTools(tools);
  const input = JSON.stringify({ command: "echo 'as \"it\" is'; until [ -e go ]; do sleep 0.05; done" });
  const words = ["call", "shell_run", input, "--mode", "auto"];
  const terminal = startTerminal([process.execPath, mainFile, ...words], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  await terminal.waitFor('as "it" is\r\n');
  expect(terminal.text()).toBe('as "it" is\r\n');
  await writeFile(join(cli.workspace, "go"), "");
  expect(await terminal.exited).toBe(0);
  expect(withoutSandboxNotes(terminal.text())).toBe('as "it" is\r\n');
});

testAtTerminal("a terminal that has shown a command's output is only told how it ended", async () => {
  const cli = await createCliWithTools(tools);
  const input = JSON.stringify({ command: "echo out; echo wrong >&2; exit 3" });
  const words = ["call", "shell_run", input, "--mode", "auto"];
  const start = (command: readonly string[]) =>
    startTerminal(command, { cwd: cli.workspace, env: cli.environment });
  const terminal = start([process.execPath, mainFile, ...words]);
  expect(await terminal.exited).toBe(1);
  expect(withoutSandboxNotes(terminal.text()).split("\r\n").toSorted()).toEqual([
    "",
    "Exit code 3.",
    "out",
    "wrong",
  ]);
  const piped = start(["sh", "-c", '"$@" > piped', "sh", process.execPath, mainFile, ...words]);
  expect(await piped.exited).toBe(1);
  expect(await readFile(join(cli.workspace, "piped"), "utf8")).toBe("out\n[stderr] wrong\nExit code 3.\n");
});
