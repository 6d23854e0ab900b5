import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedStep } from "../../../../src/capabilities/agents/index.ts";
import { type Cli, createCli, mainFile, parseLines } from "../run-cli.ts";
import { approvalPrompt, createScripted } from "../scripted-run.ts";
import { openTerminal } from "./open-terminal.ts";

const patience = { timeout: 60_000 };
const enter = "\r";

function createTalked(steps: readonly ScriptedStep[], files: Record<string, string> = {}): Promise<Cli> {
  return createCli({
    "script.json": JSON.stringify(steps),
    "a.ts": "const one = 1;\nconst two = 2;\n",
    ".gitignore": "ignored.txt\n",
    "ignored.txt": "",
    ...files,
  });
}

function startTalk(cli: Cli, { columns = 80, words = [] as readonly string[] } = {}) {
  return openTerminal([process.execPath, mainFile, "--model", "scripted/script.json", ...words], {
    cwd: cli.workspace,
    env: cli.environment,
    columns,
  });
}

const edit = { name: "file_edit", input: { path: "a.ts", old_string: "two = 2", new_string: "two = 22" } };

test("a session streams, asks, edits, shows and undoes", patience, async () => {
  const cli = await createTalked(
    [
      {
        text: "# Plan\n\nI change **two** in `a.ts`:\n\n```ts\nconst two = 22;\n```\n\nred: \u001b[31m[link](https://e.example)\n",
        calls: [
          { name: "file_read", input: { path: "a.ts" } },
          { name: "todo_read", input: {} },
        ],
      },
      { calls: [edit], usage: { inputTokens: 12_800, outputTokens: 200 } },
      { text: "It is done." },
      { text: "You said something in a file." },
      { text: "Second message." },
    ],
    { ".claude/commands/greet.md": "---\ndescription: Greets\n---\nSay hello to $1, then to $ARGUMENTS." },
  );
  const talk = startTalk(cli);
  await talk.waitFor("100% context left");
  talk.type(`change it${enter}`);
  await talk.waitFor(approvalPrompt.trim());
  expect(talk.all()).toMatch(/^file_edit needs approval: a\.ts$/m);
  expect(talk.all()).toMatch(/^ {2}\+const two = 22;$/m);
  talk.type(`y${enter}`);
  await talk.waitFor("It is done.");
  await talk.waitFor("90% context left");
  // The whole conversation, with nothing that a model's text could do to a terminal.
  expect(talk.all()).toContain("❯ change it");
  expect(talk.all()).toMatch(/^✓ file_edit a\.ts [\d.]+ m?s$/m);
  expect(talk.all()).toContain("red: \\u{1b}[31mlink (https://e.example)");
  expect(talk.raw()).not.toContain("\u001b[3J");
  expect(talk.raw()).not.toContain("\u001b[?1049h");
  // Only the word that changed stands out.
  expect(talk.raw()).toMatch(/\u001b\[7m22;?\u001b\[/);
  expect(await readFile(join(cli.workspace, "a.ts"), "utf8")).toContain("two = 22");

  talk.type("/unde");
  talk.type(`${"\u007f".repeat(5)}/he`);
  await talk.waitFor("→ /help");
  talk.type("\t");
  talk.type(enter);
  await talk.waitFor("Ctrl-O shows the latest call in full");
  expect(talk.all()).toContain("/greet Greets (.claude/commands)");
  talk.type("\u000f");
  await talk.waitFor('"old_string": "two = 2"');
  talk.type(`/cost${enter}`);
  await talk.waitFor("12,800 tokens in");
  talk.type(`/undo${enter}`);
  await talk.waitFor("Undo 1 change of the latest run?");
  talk.type(enter);
  await talk.waitFor("undo needs approval: a.ts");
  await talk.waitFor(/Allow it[\s\S]*Allow it/);
  talk.type(`y${enter}`);
  await talk.waitFor("undone: file_edit a.ts");
  expect(await readFile(join(cli.workspace, "a.ts"), "utf8")).toContain("two = 2;");
  talk.type(`/undo${enter}`);
  await talk.waitFor("there is nothing to undo");

  talk.type("see @a");
  await talk.waitFor("→ a.ts");
  expect(talk.screen()).not.toContain("ignored.txt");
  talk.type("\u0003");
  await talk.waitFor(/^\s*$/m);
  talk.type(`/greet Ann${enter}`);
  await talk.waitFor("Say hello to Ann, then to Ann.");
  await talk.waitFor("You said something in a file.");
  // A paste of many lines is one message.
  talk.type("\u001b[200~one\ntwo\u001b[201~");
  talk.type(enter);
  await talk.waitFor("Second message.");
  expect(talk.all()).toMatch(/❯ one\n {2}two/);
  talk.type("\u001b[A");
  await talk.waitFor(/^two$/m);
  talk.type("\u0003");
  talk.type("\u0003");
  await talk.waitFor("press Ctrl-C again to leave");
  talk.type("\u0003");
  expect(await talk.exited).toBe(0);
  // What it says last may reach the screen a moment after its end.
  await talk.waitFor(/Continue with: toolwright --resume session_\w+/);
});

test.each([60, 120])(
  "no row is broken at %i columns, and a new width keeps the rows that were there",
  patience,
  async (columns) => {
    const cli = await createTalked([
      {
        text: `${"A sentence that is rather long. ".repeat(20)}\n\n| a | b |\n|---|---|\n| ${"wide ".repeat(30)} | 2 |\n`,
      },
    ]);
    const talk = startTalk(cli, { columns });
    await talk.waitFor(/\d% (?:context )?left/);
    talk.type(`${"word ".repeat(40)}${enter}`);
    await talk.waitFor("│ wide");
    await talk.waitFor("mode ask".slice(5));
    for (const row of talk.all().split("\n")) expect(row.length).toBeLessThanOrEqual(columns);
    expect(talk.screen()).toContain("script.json · ask");
    talk.resize(70);
    await talk.waitFor(/^─{70}$/m);
    expect(talk.all()).toContain("A sentence that is rather long.");
    talk.type("\u0004");
    expect(await talk.exited).toBe(0);
  },
);

test(
  "a terminal that cannot move its cursor gets no escape sequences, but a way to go on",
  patience,
  async () => {
    const cli = await createTalked([]);
    const env = { ...cli.environment, TERM: "dumb" };
    const talk = openTerminal([process.execPath, mainFile], { cwd: cli.workspace, env, columns: 80 });
    expect(await talk.exited).toBe(2);
    await talk.waitFor('TERM is "dumb"; use toolwright run');
    expect(talk.raw()).not.toContain("\u001b");
  },
);

test("a plan is only carried out on a yes, and a session goes on later", patience, async () => {
  const cli = await createTalked([
    { calls: [edit, { name: "todo_write", input: { todos: [{ title: "Change two" }] } }] },
    { text: "That is the plan." },
    { calls: [edit] },
    { text: "That is all." },
  ]);
  const talk = startTalk(cli, { words: ["--mode", "edit"] });
  await talk.waitFor("context left");
  talk.type(`/plan change two${enter}`);
  await talk.waitFor("Carry out this plan of 1 step");
  expect(talk.all()).toMatch(/^⊘ file_edit a\.ts/m);
  expect(await readFile(join(cli.workspace, "a.ts"), "utf8")).toContain("two = 2;");
  talk.type(enter);
  await talk.waitFor(/^✓ file_edit a\.ts[\s\S]*That is all\./m);
  expect(await readFile(join(cli.workspace, "a.ts"), "utf8")).toContain("two = 22");
  talk.type(`/mode ask${enter}`);
  await talk.waitFor("· ask ·");
  talk.type(`/quit${enter}`);
  expect(await talk.exited).toBe(0);
  const later = startTalk(cli, { words: ["--continue"] });
  await later.waitFor("That is all.");
  later.type("\u0004");
  expect(await later.exited).toBe(0);
  const listed = startTalk(cli, { words: ["--resume"] });
  await listed.waitFor("Which session?");
  listed.type(enter);
  await listed.waitFor("That is all.");
  listed.type("\u0004");
  expect(await listed.exited).toBe(0);
});

test("while the agent works, a message steers it, another waits, and Esc interrupts", patience, async () => {
  const cli = await createScripted([
    { calls: [{ name: "wait_go" }] },
    { text: "Steered." },
    { text: "Queued." },
    { calls: [{ name: "wait_answer" }, { name: "shell_run", input: { command: "sleep 60" } }] },
  ]);
  const talk = startTalk(cli, { words: ["--config", "config.json", "--mode", "auto"] });
  await talk.waitFor("context left");
  talk.type(`begin${enter}`);
  await talk.waitFor("wait_go");
  talk.type(`/undo${enter}`);
  await talk.waitFor("/undo has to wait");
  talk.type(`look left${enter}`);
  await talk.waitFor("(the agent reads this at its next step)");
  talk.type("then rest");
  talk.type("\u001b\r");
  await talk.waitFor("1 queued");
  await writeFile(join(cli.workspace, "go"), "");
  await talk.waitFor("Queued.");
  expect(talk.all()).toMatch(/❯ look left[\s\S]*✓ wait_go[\s\S]*Steered\.[\s\S]*❯ then rest[\s\S]*Queued\./);
  talk.type(`again${enter}`);
  await talk.waitFor("shell_run sleep 60");
  talk.type("\u001b");
  await talk.waitFor("interrupted; say what to do instead");
  talk.type("\u0004");
  expect(await talk.exited).toBe(0);
  const [session] = parseLines((await cli(["sessions", "--json"])).stdout);
  const { stdout } = await cli(["export", String(session!.id), "--md"]);
  expect(stdout).toMatch(/^# Session session_\w+\n[\s\S]*## You\n\n> begin\n[\s\S]*### `wait_go`: done/);
});

test(
  "Ctrl-C instead of an answer cancels the call and interrupts the agent, and the session goes on",
  patience,
  async () => {
    const write = { name: "file_write", input: { path: "new.txt", content: "x" } };
    const cli = await createTalked([{ calls: [write] }, { text: "Something else, then." }]);
    const talk = startTalk(cli);
    await talk.waitFor("context left");
    talk.type(`begin${enter}`);
    await talk.waitFor(approvalPrompt.trim());
    talk.type("\u0003");
    await talk.waitFor("interrupted; say what to do instead");
    talk.type(`go on${enter}`);
    await talk.waitFor("Something else, then.");
    talk.type("\u0004");
    expect(await talk.exited).toBe(0);
    const [receipt] = parseLines((await cli(["log", "--json"])).stdout);
    expect(receipt).toMatchObject({ tool: "file_write", status: "cancelled" });
  },
);

test(
  "a connection that breaks while a call waits leaves the call to be decided, and the conversation goes on",
  patience,
  async () => {
    const write = { name: "file_write", input: { path: "new.txt", content: "x" } };
    const cli = await createTalked([{ calls: [write] }, { text: "It is written." }]);
    const talk = startTalk(cli);
    await talk.waitFor("context left");
    talk.type(`begin${enter}`);
    await talk.waitFor(approvalPrompt.trim());
    talk.hangUp();
    await talk.exited;
    const [waiting] = parseLines((await cli(["approvals", "--json"])).stdout);
    expect(await cli(["approve", String(waiting!.id)])).toMatchObject({ exitCode: 0 });
    const later = startTalk(cli, { words: ["--continue"] });
    await later.waitFor("❯ begin");
    later.type(`once more${enter}`);
    await later.waitFor("It is written.");
    expect(later.all()).not.toContain("needs approval");
    expect(await readFile(join(cli.workspace, "new.txt"), "utf8")).toBe("x");
    later.type("\u0004");
    expect(await later.exited).toBe(0);
  },
);
