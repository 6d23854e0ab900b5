import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { startModelServer } from "../../../support/model-server/start-model-server.ts";
import { withoutSandboxNotes } from "../../../support/no-sandbox.ts";
import { createCli, mainFile, parseLines } from "../run-cli.ts";
import { approvalPrompt, createScripted, finishedCalls, startRun, write, written } from "../scripted-run.ts";
import { startTerminal, testAtTerminal } from "../start-terminal.ts";

const patience = { timeout: 45_000 };

/** An agent that waits in a call, and writes a file afterwards. */
async function startWaiting() {
  const cli = await createScripted([
    { calls: [{ name: "wait_go" }] },
    { calls: [write("new")] },
    { text: "over" },
  ]);
  const terminal = startRun(cli);
  await terminal.waitFor("wait_go");
  return { cli, terminal, letGo: () => writeFile(join(cli.workspace, "go"), "") };
}

testAtTerminal("a key that was pressed before the question is no answer to it", async () => {
  const { cli, terminal, letGo } = await startWaiting();
  expect(withoutSandboxNotes(terminal.text())).not.toContain("y");
  terminal.type("y");
  await terminal.waitUntil((shown) => withoutSandboxNotes(shown).includes("y"), "y");
  await letGo();
  await terminal.waitFor(approvalPrompt);
  terminal.type("\r");
  expect(await terminal.exited).toBe(0);
  expect(await written(cli)).toEqual([]);
});

testAtTerminal.each(["y\rand more\ry\r", "y\rand"])(
  "pasted text allows nothing, even if its first line is a yes: %j",
  async (pasted) => {
    const cli = await createScripted([
      { calls: [write("new1")] },
      { calls: [write("new2")] },
      { text: "over" },
    ]);
    const terminal = startRun(cli);
    await terminal.waitFor(approvalPrompt);
    terminal.type(pasted);
    await terminal.waitFor("new2");
    await expect.poll(() => terminal.text().split(approvalPrompt).length, patience).toBe(3);
    terminal.type("y\r");
    expect(await terminal.exited).toBe(0);
    expect(await written(cli)).toEqual(["new2"]);
  },
);

testAtTerminal("Ctrl-D while the agent works does not prevent an answer later", async () => {
  const { cli, terminal, letGo } = await startWaiting();
  // What is typed after it is seen on the screen only when it has come.
  terminal.type("\u0004later");
  await terminal.waitFor("later");
  await letGo();
  await terminal.waitFor(approvalPrompt);
  terminal.type("y\r");
  expect(await terminal.exited).toBe(0);
  expect(await written(cli)).toEqual(["new"]);
});

testAtTerminal("a question that was stopped by Ctrl-Z can be answered afterwards", async () => {
  const cli = await createScripted([{ calls: [write("new")] }, { text: "over" }]);
  const terminal = startTerminal(["bash", "--norc", "--noprofile", "-i"], {
    cwd: cli.workspace,
    env: { ...cli.environment, NODE: process.execPath, MAIN: mainFile },
  });
  terminal.type('"$NODE" "$MAIN" run go --model scripted/script.json\r');
  await terminal.waitFor(approvalPrompt);
  terminal.type("\u001a");
  await terminal.waitFor("Stopped");
  terminal.type("fg\r");
  await expect.poll(() => terminal.text().split(approvalPrompt).length, patience).toBe(3);
  terminal.type("y\r");
  await terminal.waitFor("continue with");
  terminal.type("exit\r");
  await terminal.exited;
  expect(await written(cli)).toEqual(["new"]);
});

testAtTerminal("Ctrl-C at one of several questions takes back the others unseen", async () => {
  const cli = await createScripted([{ calls: [write("new1"), write("new2"), write("new3")] }]);
  const terminal = startRun(cli, ["--session", "left"]);
  await terminal.waitFor(approvalPrompt);
  terminal.type("\u0003");
  await terminal.waitFor("What now?");
  expect(terminal.text().match(/needs approval/g)).toHaveLength(1);
  terminal.type("\r");
  expect(await terminal.exited).toBe(1);
  expect(await written(cli)).toEqual([]);
  // Nobody has said no.
  expect(await finishedCalls(cli, "left")).toEqual(Array(3).fill(["file_write", "cancelled"]));
});

testAtTerminal(
  "a request that is approved or answered at another terminal needs no answer at this one, and the run goes on",
  async () => {
    const question = { name: "user_ask", input: { question: "Which colour?" } };
    const cli = await createScripted([
      { calls: [write("new")] },
      { calls: [question] },
      { text: "all is well" },
    ]);
    const terminal = startRun(cli);
    const findWaiting = async () => String(parseLines((await cli(["approvals", "--json"])).stdout)[0]?.id);
    await terminal.waitFor(approvalPrompt);
    expect(await cli(["approve", await findWaiting()])).toMatchObject({ exitCode: 0 });
    await terminal.waitFor("(it was decided elsewhere)");
    await terminal.waitFor("Answer: ");
    expect(await cli(["answer", await findWaiting(), "blue"])).toMatchObject({ exitCode: 0 });
    await terminal.waitFor("all is well");
    expect(await terminal.exited).toBe(0);
    expect(await written(cli)).toEqual(["new"]);
  },
);

testAtTerminal(
  "a question on the terminal is not interrupted by output; events of the meantime are printed after it",
  async () => {
    const secret = { name: "file_read", input: { path: ".env" } };
    const cli = await createScripted([{ calls: [secret, { name: "wait_go" }] }, { text: "over" }]);
    const terminal = startRun(cli, ["--session", "watched"]);
    await terminal.waitFor(approvalPrompt);
    await writeFile(join(cli.workspace, "go"), "");
    await expect.poll(() => finishedCalls(cli, "watched"), patience).toEqual([["wait_go", "done"]]);
    expect(terminal.text().slice(terminal.text().indexOf(approvalPrompt))).not.toContain("wait_go");
    terminal.type("y\r");
    expect(await terminal.exited).toBe(0);
    expect(terminal.text().slice(terminal.text().indexOf(approvalPrompt))).toMatch(/✓.*wait_go/);
  },
);

testAtTerminal("a question whose time ran out behind another is not asked any more", async () => {
  const secret = { name: "file_read", input: { path: ".env" } };
  const cli = await createScripted([{ calls: [secret, { name: "wait_answer" }] }, { text: "over" }]);
  const terminal = startRun(cli, ["--session", "patient"]);
  await terminal.waitFor(approvalPrompt);
  await writeFile(join(cli.workspace, "go"), "");
  await expect.poll(() => finishedCalls(cli, "patient"), patience).toEqual([["wait_answer", "timed-out"]]);
  terminal.type("y\r");
  expect(await terminal.exited).toBe(0);
  expect(terminal.text()).toMatch(/⧖.*wait_answer/);
  expect(terminal.text()).not.toMatch(/^Which\?/m);
});

testAtTerminal("all lines that are pasted are one message to the agent", async () => {
  const cli = await createCli();
  const server = await startModelServer((_request, count) =>
    count === 1 ? { text: "I wonder", hangAt: "text" } : { text: "I see" },
  );
  const model = ["--model", "any", "--base-url", server.url];
  const terminal = startTerminal([process.execPath, mainFile, "run", "go", ...model], {
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

testAtTerminal("a request longer than the screen names its tool again at the end", async () => {
  const content = "a line\n".repeat(100);
  const cli = await createScripted([
    { calls: [{ name: "file_write", input: { path: "new", content } }] },
    { text: "over" },
  ]);
  const terminal = startRun(cli);
  await terminal.waitFor(approvalPrompt);
  expect(terminal.text()).toMatch(
    /\| a line\r\n.*This request for file_write starts 1\d\d lines above\.\r\n.*Allow/s,
  );
  terminal.type("n\r");
  expect(await terminal.exited).toBe(0);
});
