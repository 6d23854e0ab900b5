import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { ScriptedStep } from "../../../src/index.ts";
import { runSource, sourceAddress, sourceFile } from "../../e2e/source-cli.ts";
import { startModelServer } from "../../support/model-server/start-model-server.ts";
import { type Cli, createCli, parseLines } from "../run-cli.ts";
import { startTerminal, terminalProgram } from "../start-terminal.ts";

const hasScript = await promisify(execFile)(terminalProgram, ["--version"]).then(
  () => true,
  () => false,
);
if (!hasScript)
  console.warn("run-terminal.test.ts is skipped: it needs `script` of util-linux for a terminal");

const patience = { timeout: 15_000 };
const prompt = "Allow it? [y/N] ";
const config = { toolFolders: ["tools"], permissions: { allow: ["wait_go", "wait_answer"] } };

/** Beside the built-in tools there are two that wait for the file `go`; one of them asks then, and does not wait long. */
async function createScripted(steps: readonly ScriptedStep[]): Promise<Cli> {
  return createCli({
    "script.json": JSON.stringify(steps),
    "config.json": JSON.stringify(config),
    ".env": "KEY=1\n",
    "tools/wait/go.mjs": waitingTool("go", '"gone"'),
    "tools/wait/answer.mjs": waitingTool("answer", 'ask({ text: "Which?", timeoutMs: 200 })'),
  });
}

function waitingTool(name: string, result: string): string {
  return `import { access } from "node:fs/promises";
import { defineTool } from ${JSON.stringify(sourceAddress)};
export default defineTool({ name: "${name}", description: "Waits", params: {},
  traits: { readOnly: true, concurrencySafe: true },
  async run(_input, { ask }) {
    while (await access("go").then(() => false, () => true)) await new Promise((resolve) => setTimeout(resolve, 20));
    return ${result};
  } });`;
}

function startRun(cli: Cli, words: readonly string[] = [], environment: NodeJS.ProcessEnv = {}) {
  const model = ["--model", "scripted/script.json", "--config", "config.json"];
  return startTerminal([process.execPath, sourceFile, "run", "do it", ...model, ...words], {
    cwd: cli.workspace,
    env: { ...cli.environment, ...environment },
  });
}

function write(name: string) {
  return { name: "file_write", input: { path: name, content: "written\n" } };
}

async function written(cli: Cli): Promise<string[]> {
  return (await readdir(cli.workspace)).filter((name) => name.startsWith("new"));
}

async function finishedCalls(cli: Cli, session: string) {
  const { stdout } = await runSource(cli, ["log", "--session", session, "--json"]);
  return parseLines(stdout).map(({ tool, status }) => [tool, status]);
}

test.skipIf(!hasScript)("a key that was pressed before the question is no answer to it", async () => {
  const cli = await createScripted([
    { calls: [{ name: "wait_go" }] },
    { calls: [write("new")] },
    { text: "over" },
  ]);
  const terminal = startRun(cli);
  await terminal.waitFor("wait_go");
  terminal.type("y");
  await terminal.waitFor("y");
  await writeFile(join(cli.workspace, "go"), "");
  await terminal.waitFor(prompt);
  terminal.type("\r");
  expect(await terminal.exited).toBe(0);
  expect(await written(cli)).toEqual([]);
});

test.skipIf(!hasScript).each(["y\rand more\ry\r", "y\rand"])(
  "what is pasted allows nothing, even if its first line is a yes: %j",
  async (pasted) => {
    const cli = await createScripted([
      { calls: [write("new1")] },
      { calls: [write("new2")] },
      { text: "over" },
    ]);
    const terminal = startRun(cli);
    await terminal.waitFor(prompt);
    terminal.type(pasted);
    await terminal.waitFor("new2");
    await expect.poll(() => terminal.text().split(prompt).length, patience).toBe(3);
    terminal.type("y\r");
    expect(await terminal.exited).toBe(0);
    expect(await written(cli)).toEqual(["new2"]);
  },
);

test.skipIf(!hasScript)("Ctrl-D while the agent works keeps nobody from answering later", async () => {
  const cli = await createScripted([
    { calls: [{ name: "wait_go" }] },
    { calls: [write("new")] },
    { text: "over" },
  ]);
  const terminal = startRun(cli);
  await terminal.waitFor("wait_go");
  terminal.type("\u0004");
  await writeFile(join(cli.workspace, "go"), "");
  await terminal.waitFor(prompt);
  terminal.type("y\r");
  expect(await terminal.exited).toBe(0);
  expect(await written(cli)).toEqual(["new"]);
});

test.skipIf(!hasScript)("a question that was stopped by Ctrl-Z can be answered afterwards", async () => {
  const cli = await createScripted([{ calls: [write("new")] }, { text: "over" }]);
  const terminal = startTerminal(["bash", "--norc", "--noprofile", "-i"], {
    cwd: cli.workspace,
    env: { ...cli.environment, NODE: process.execPath, MAIN: sourceFile },
  });
  terminal.type('"$NODE" "$MAIN" run go --model scripted/script.json\r');
  await terminal.waitFor(prompt);
  terminal.type("\u001a");
  await terminal.waitFor("Stopped");
  terminal.type("fg\r");
  await expect.poll(() => terminal.text().split(prompt).length, patience).toBe(3);
  terminal.type("y\r");
  await terminal.waitFor("go on with");
  terminal.type("exit\r");
  await terminal.exited;
  expect(await written(cli)).toEqual(["new"]);
});

test.skipIf(!hasScript)("Ctrl-C at one of several questions takes back the others unseen", async () => {
  const cli = await createScripted([{ calls: [write("new1"), write("new2"), write("new3")] }]);
  const terminal = startRun(cli);
  await terminal.waitFor(prompt);
  terminal.type("\u0003");
  await terminal.waitFor("What now?");
  expect(terminal.text().match(/asks to run/g)).toHaveLength(1);
  terminal.type("\r");
  expect(await terminal.exited).toBe(1);
  expect(await written(cli)).toEqual([]);
});

test.skipIf(!hasScript)(
  "nothing is printed into a question; what happened meanwhile is told after it",
  async () => {
    const secret = { name: "file_read", input: { path: ".env" } };
    const cli = await createScripted([{ calls: [secret, { name: "wait_go" }] }, { text: "over" }]);
    const terminal = startRun(cli, ["--session", "watched"]);
    await terminal.waitFor(prompt);
    await writeFile(join(cli.workspace, "go"), "");
    await expect.poll(() => finishedCalls(cli, "watched"), patience).toEqual([["wait_go", "done"]]);
    expect(terminal.text().slice(terminal.text().indexOf(prompt))).not.toContain("wait_go");
    terminal.type("y\r");
    expect(await terminal.exited).toBe(0);
    expect(terminal.text().slice(terminal.text().indexOf(prompt))).toMatch(/✓.*wait_go/);
  },
);

test.skipIf(!hasScript).each([
  ["a call", { name: "shell_run", input: { command: "sleep 60" } }, "shell_run sleep", "auto"],
  ["a question", write("new"), prompt, "ask"],
])(
  "a terminal that goes away during %s interrupts the work in good order",
  async (_name, call, sign, mode) => {
    const cli = await createScripted([{ calls: [call] }, { text: "over" }]);
    const terminal = startRun(cli, ["--session", "left", "--mode", mode]);
    await terminal.waitFor(sign);
    terminal.hangUp();
    const ended = [call.name, "cancelled"];
    await expect.poll(() => finishedCalls(cli, "left"), patience).toContainEqual(ended);
    expect(await written(cli)).toEqual([]);
  },
);

test.skipIf(!hasScript)("a question whose time ran out behind another is not asked any more", async () => {
  const secret = { name: "file_read", input: { path: ".env" } };
  const cli = await createScripted([{ calls: [secret, { name: "wait_answer" }] }, { text: "over" }]);
  const terminal = startRun(cli, ["--session", "patient"]);
  await terminal.waitFor(prompt);
  await writeFile(join(cli.workspace, "go"), "");
  await expect.poll(() => finishedCalls(cli, "patient"), patience).toEqual([["wait_answer", "timed-out"]]);
  terminal.type("y\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toMatch(/⧖.*wait_answer/);
  expect(terminal.text()).not.toMatch(/^Which\?/m);
});

test.skipIf(!hasScript)("being told to end while asked what to do next is an answer to that", async () => {
  const cli = await createScripted([{ calls: [write("new")] }]);
  const words = [process.execPath, sourceFile, "run", "go", "--model", "scripted/script.json"];
  const terminal = startTerminal(["sh", "-c", 'echo "process $$"; exec "$@"', "sh", ...words], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  await terminal.waitFor(prompt);
  terminal.type("\u0003");
  await terminal.waitFor("What now?");
  process.kill(Number(/process (\d+)/.exec(terminal.text())?.[1]), "SIGTERM");
  expect(await terminal.exited).toBe(1);
  expect(terminal.text()).toContain("go on with");
});

test.skipIf(!hasScript)(
  "when nobody reads the events any more, nobody is asked what to do next",
  async () => {
    const cli = await createScripted([{ calls: [{ name: "wait_go" }] }, { text: "over" }]);
    const model = ["--model", "scripted/script.json", "--config", "config.json"];
    const words = [process.execPath, sourceFile, "run", "go", "--json", "--session", "piped", ...model];
    const terminal = startTerminal(["sh", "-c", '"$@" | head -n 1', "sh", ...words], {
      cwd: cli.workspace,
      env: cli.environment,
    });
    await terminal.waitFor("agent-start");
    await writeFile(join(cli.workspace, "go"), "");
    expect(await terminal.exited).toBe(0);
    expect(terminal.text()).not.toContain("What now?");
  },
);

test.skipIf(!hasScript)("two runs in one session do not mix: the second is told of the first", async () => {
  const cli = await createScripted([{ calls: [{ name: "wait_go" }] }, { text: "over at last" }]);
  const terminal = startRun(cli, ["--session", "shared"]);
  await terminal.waitFor("wait_go");
  const second = ["run", "me too", "--resume", "shared", "--model", "scripted/script.json"];
  const { stderr, stdout, exitCode } = await runSource(cli, second);
  expect(stderr).toMatch(/^toolwright: an agent in another process, \d+, is working in this session\n$/);
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  await writeFile(join(cli.workspace, "go"), "");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toMatch(/✓.*wait_go.*over at last.*go on with/s);
  expect(terminal.text()).not.toContain("me too");
});

test.skipIf(!hasScript)("all lines that are pasted are one message to the agent", async () => {
  const cli = await createCli();
  const server = await startModelServer((_request, count) =>
    count === 1 ? { text: "I wonder", hangAt: "text" } : { text: "I see" },
  );
  const model = ["--model", "any", "--base-url", server.url];
  const terminal = startTerminal([process.execPath, sourceFile, "run", "go", ...model], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  await terminal.waitFor("I ");
  terminal.type("\u0003");
  await terminal.waitFor("What now?");
  terminal.type("first\rsecond\rthird\r");
  await terminal.exited;
  expect(server.requests[1]!.body.messages.at(-1)).toEqual({
    role: "user",
    content: "first\nsecond\nthird",
  });
});

test.skipIf(!hasScript)("what the model says is spelled as it is, and steers nothing", async () => {
  const spelled = "می\u200cخواهم 👩\u200d💻 Vraiment\u202f? 日本\u3000語";
  const cli = await createScripted([{ text: `${spelled} \u001b]52;c;aGk=\u0007\u009b2J\u202eback\rover` }]);
  const terminal = startRun(cli);
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain(`${spelled} \\u{1b}]52;c;aGk=\\u{7}\\u{9b}2J\\u{202e}back\\rover\r\n`);
});

test.skipIf(!hasScript)("what asks is named again where it is no longer on the screen", async () => {
  const content = "a line\n".repeat(100);
  const cli = await createScripted([
    { calls: [{ name: "file_write", input: { path: "new", content } }] },
    { text: "over" },
  ]);
  const terminal = startRun(cli);
  await terminal.waitFor(prompt);
  expect(terminal.text()).toMatch(
    /\| a line\r\n.*This was file_write, which begins 1\d\d lines above\.\r\n.*Allow/s,
  );
  terminal.type("n\r");
  expect(await terminal.exited).toBe(0);
});

test.skipIf(!hasScript)("what goes on is told in a line that no terminal breaks into two", async () => {
  const cli = await createScripted([{ calls: [{ name: "wait_go" }] }, { text: "over" }]);
  const terminal = startRun(cli);
  await terminal.waitFor("wait_go");
  await writeFile(join(cli.workspace, "go"), "");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toMatch(/\r\u001b\[2K\u001b\[\?7l\S wait_go[^\n]*?\u001b\[\?7h/);
});

test.skipIf(!hasScript)("a terminal that can do nothing but print is sent nothing else", async () => {
  const cli = await createScripted([{ reasoning: "hm", calls: [write("new")] }, { text: "over" }]);
  const terminal = startRun(cli, ["--mode", "auto"], { TERM: "dumb" });
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain("✓ file_write new");
  expect(terminal.text()).not.toContain("\u001b");
});
