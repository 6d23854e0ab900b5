import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { withoutSandboxNotes } from "../../../support/no-sandbox.ts";
import { mainFile } from "../run-cli.ts";
import {
  approvalPrompt,
  createScripted,
  finishedCalls,
  scriptFlags,
  startRun,
  write,
  written,
} from "../scripted-run.ts";
import { startTerminal, testAtTerminal } from "../start-terminal.ts";

const patience = { timeout: 45_000 };

testAtTerminal.each([
  ["a call", { name: "shell_run", input: { command: "touch begun; sleep 60" } }, "shell_run touch", "auto"],
  ["a question", write("new"), approvalPrompt, "ask"],
])(
  "a terminal that goes away during %s interrupts the work in good order",
  async (_name, call, sign, mode) => {
    const cli = await createScripted([{ calls: [call] }, { text: "over" }]);
    const terminal = startRun(cli, ["--session", "left", "--mode", mode]);
    await terminal.waitFor(sign);
    // It is told of before it runs.
    if (mode === "auto") await expect.poll(() => readdir(cli.workspace), patience).toContain("begun");
    terminal.hangUp();
    const ended = [call.name, "cancelled"];
    await expect.poll(() => finishedCalls(cli, "left"), patience).toContainEqual(ended);
    expect(await written(cli)).toEqual([]);
  },
);

testAtTerminal("a signal to end the process ends the question what to do next", async () => {
  const cli = await createScripted([{ calls: [write("new")] }]);
  const words = [process.execPath, mainFile, "run", "go", "--model", "scripted/script.json"];
  const terminal = startTerminal(["sh", "-c", 'echo "process $$"; exec "$@"', "sh", ...words], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  await terminal.waitFor(approvalPrompt);
  terminal.type("\u0003");
  await terminal.waitFor("What now?");
  process.kill(Number(/process (\d+)/.exec(terminal.text())?.[1]), "SIGTERM");
  expect(await terminal.exited).toBe(1);
  expect(terminal.text()).toContain("continue with");
});

testAtTerminal("a run whose events no reader takes any more does not ask what to do next", async () => {
  const cli = await createScripted([{ calls: [{ name: "wait_go" }] }, { text: "over" }]);
  const words = [process.execPath, mainFile, "run", "go", "--json", "--session", "piped", ...scriptFlags];
  const terminal = startTerminal(["sh", "-c", '"$@" | head -n 1', "sh", ...words], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  await terminal.waitFor("agent-start");
  await writeFile(join(cli.workspace, "go"), "");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).not.toContain("What now?");
});

testAtTerminal("two runs in one session do not mix: the second is told of the first", async () => {
  const cli = await createScripted([{ calls: [{ name: "wait_go" }] }, { text: "over at last" }]);
  const terminal = startRun(cli, ["--session", "shared"]);
  await terminal.waitFor("wait_go");
  const second = ["run", "me too", "--resume", "shared", "--model", "scripted/script.json"];
  const { stderr, stdout, exitCode } = await cli(second);
  expect(withoutSandboxNotes(stderr)).toMatch(
    /^toolwright: session shared is open in another process \(pid \d+\); close it there, or use another session\n$/,
  );
  expect({ stdout, exitCode }).toEqual({ stdout: "", exitCode: 1 });
  await writeFile(join(cli.workspace, "go"), "");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toMatch(/✓.*wait_go.*over at last.*continue with/s);
  expect(terminal.text()).not.toContain("me too");
});

testAtTerminal("the model's text is shown as it is, and cannot control the terminal", async () => {
  const spelled = "می\u200cخواهم 👩\u200d💻 Vraiment\u202f? 日本\u3000語";
  const cli = await createScripted([{ text: `${spelled} \u001b]52;c;aGk=\u0007\u009b2J\u202eback\rover` }]);
  const terminal = startRun(cli);
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain(`${spelled} \\u{1b}]52;c;aGk=\\u{7}\\u{9b}2J\\u{202e}back\\rover\r\n`);
});

testAtTerminal("the status line never wraps", async () => {
  const cli = await createScripted([{ calls: [{ name: "wait_go" }] }, { text: "over" }]);
  const terminal = startRun(cli);
  await terminal.waitFor("wait_go");
  await writeFile(join(cli.workspace, "go"), "");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toMatch(/\r\u001b\[2K\u001b\[\?7l\S wait_go[^\n]*?\u001b\[\?7h/);
});

testAtTerminal("a terminal that can only print is sent no control sequences", async () => {
  const cli = await createScripted([{ reasoning: "hm", calls: [write("new")] }, { text: "over" }]);
  const terminal = startRun(cli, ["--mode", "auto"], { TERM: "dumb" });
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toContain("✓ file_write new");
  expect(terminal.text()).not.toContain("\u001b");
});
