import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { type Cli, mainFile, parseLines } from "../run-cli.ts";
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

function spawnAgent(kind: string, description: string, mode = "sync") {
  return { name: "agent_run", input: { prompt: `go, ${kind}`, description, kind, mode } };
}

function run(cli: Cli, words: readonly string[] = []) {
  return cli(["run", "do it", ...scriptFlags, ...words]);
}

const grep = { name: "search_grep", input: { pattern: "KEY" } };
const lookAtNothing = { name: "file_read", input: { path: "nothing.txt" } };

/** What was printed, without ids and times. */
function comparable(text: string): string {
  return stripVTControlCharacters(text)
    .replace(/agent_\w{6}/g, "agent_ID")
    .replace(/\b[\d.]+ m?s\b/g, "TIME");
}

test("sub-agents are a tree below their call, with a line for each call of theirs", async () => {
  const cli = await createScripted([{ calls: [spawnAgent("chief", "see to it")] }, { text: "over" }], {
    chief: [
      { text: "never shown", calls: [grep, spawnAgent("reader", "look for it")] },
      { text: "nor this", usage: { inputTokens: 1200, outputTokens: 34 } },
    ],
    reader: [{ calls: [lookAtNothing] }, { text: "nor that" }],
  });
  const { stdout, stderr, exitCode } = await run(cli);
  expect(stdout).toBe("over\n");
  expect(exitCode).toBe(0);
  expect(comparable(stderr)).toMatch(
    new RegExp(
      [
        "▸ agent_ID see to it \\(chief\\)",
        "│ ✓ search_grep KEY TIME",
        "│ ▸ agent_ID look for it \\(reader\\)",
        "│ │ ✗ file_read nothing\\.txt: .*no.* TIME",
        "│ └ ✓ 2 steps, 1 call, 0 tokens, TIME",
        "└ ✓ 2 steps, 2 calls, 1,234 tokens, TIME",
        "2 steps, ",
      ].join("\n"),
    ),
  );
  expect(stderr).not.toMatch(/never|nor /);
});

test("an agent of an unknown kind is a failed call, and one whose model fails says why", async () => {
  const cli = await createScripted(
    [{ calls: [spawnAgent("nobody", "x"), spawnAgent("broken", "try it")] }, { text: "over" }],
    { broken: [] },
  );
  const { stderr } = await run(cli);
  expect(comparable(stderr)).toMatch(/^✗ agent_run go, nobody TIME\n {2}there is no kind of agent/m);
  expect(comparable(stderr)).toMatch(
    /^▸ agent_ID try it \(broken\)\n└ ✗ failed: .+ \(\d steps?, 0 calls, 0 tokens, TIME\)$/m,
  );
});

test("each line of a background agent says whose it is, even if two have the same title", async () => {
  const cli = await createScripted(
    [
      { calls: [spawnAgent("one", "wait", "background"), spawnAgent("two", "wait", "background")] },
      { text: "I wait." },
      { text: "One is back." },
      { text: "Both are back." },
    ],
    // The first cannot end before the second works.
    {
      one: [{ calls: [{ name: "wait_go" }] }, { text: "1" }],
      two: [{ calls: [write("go")] }, { text: "2" }],
    },
  );
  const { stderr } = await run(cli, ["--mode", "auto"]);
  const [, second] = [...stderr.matchAll(/^▸ (agent_\w{6}) wait \((?:one|two), background\)$/gm)];
  expect(stderr).toMatch(/^│ wait: ✓ wait_go/m);
  expect(stderr).toMatch(/^└ wait: ✓ 2 steps, 1 call/m);
  expect(stderr).toMatch(new RegExp(`^│ ${second![1]}: ✓ file_write go`, "m"));
  expect(stderr).toMatch(new RegExp(`^└ ${second![1]}: ✓ 2 steps, 1 call`, "m"));
  expect(stderr).not.toMatch(/^✓ agent_run/m);
});

test("with --json, events of sub-agents are printed as they are in the log", async () => {
  const cli = await createScripted([{ calls: [spawnAgent("reader", "look")] }, { text: "over" }], {
    reader: [{ calls: [grep] }, { text: "there" }],
  });
  const { stdout } = await run(cli, ["--json"]);
  const events = parseLines(stdout);
  const told = events.filter(({ type }) => type === "subagent-event");
  expect(events.find(({ type }) => type === "subagent-start")).toMatchObject({
    title: "look",
    kind: "reader",
  });
  expect(told.map(({ event }) => (event as { type: string }).type)).toContain("text-delta");
  expect(events.find(({ type }) => type === "subagent-end")).toMatchObject({ text: "there", calls: 1 });
});

testAtTerminal(
  "a request for approval says which agent asks, however far down, and what would change",
  async () => {
    const cli = await createScripted([{ calls: [spawnAgent("chief", "see to it")] }, { text: "over" }], {
      chief: [{ calls: [write("new1"), spawnAgent("writer", "write (all) of it")] }, { text: "seen" }],
      writer: [{ calls: [write("new2")] }, { text: "written" }],
    });
    const terminal = startRun(cli);
    await terminal.waitFor(approvalPrompt);
    expect(comparable(terminal.text())).toMatch(
      /Agent "agent_ID" wants to run file_write: new1\r\n {2}its task: "see to it"\r\n/,
    );
    expect(terminal.text()).toMatch(/\+written/);
    terminal.type("n\r");
    await expect.poll(() => terminal.text().split(approvalPrompt).length, patience).toBe(3);
    expect(comparable(terminal.text())).toMatch(
      /Agent "agent_ID" wants to run file_write: new2\r\n {2}its task: "write \(all\) of it"\r\n/,
    );
    terminal.type("y\r");
    expect(await terminal.exited).toBe(0);
    expect(await written(cli)).toEqual(["new2"]);
  },
);

testAtTerminal("Ctrl-C instead of an answer to an agent stops it and its parent", async () => {
  const cli = await createScripted([{ calls: [spawnAgent("writer", "write it")] }, { text: "over" }], {
    writer: [{ calls: [write("new")] }, { text: "never said" }],
  });
  const terminal = startRun(cli);
  await terminal.waitFor(approvalPrompt);
  terminal.type("\u0003");
  await terminal.waitFor("What now?");
  expect(comparable(terminal.text())).toMatch(/└ ■ stopped \(1 step, 1 call, 0 tokens, TIME\)\r\n/);
  terminal.type("\r");
  await terminal.exited;
  expect(await written(cli)).toEqual([]);
});

testAtTerminal("while sub-agents work, a line says how many and what they do", async () => {
  const cli = await createScripted(
    [{ calls: [spawnAgent("waiter", "wait", "background")] }, { text: "I wait." }, { text: "It is back." }],
    { waiter: [{ calls: [{ name: "wait_go" }] }, { text: "done" }] },
  );
  const terminal = startRun(cli);
  await terminal.waitFor("1 agent working: wait_go");
  await writeFile(join(cli.workspace, "go"), "");
  expect(await terminal.exited).toBe(0);
});

testAtTerminal("no line about a sub-agent is wider than a narrow terminal", async () => {
  const long = { name: "search_grep", input: { pattern: "a pattern that goes on and on ".repeat(9) } };
  const cli = await createScripted(
    [{ calls: [spawnAgent("reader", "look for something whose name goes on and on")] }, { text: "over" }],
    { reader: [{ calls: [long, lookAtNothing] }, { text: "done" }] },
  );
  const words = [process.execPath, mainFile, "run", "do it", ...scriptFlags];
  const terminal = startTerminal(["sh", "-c", 'stty cols 40; exec "$@"', "sh", ...words], {
    cwd: cli.workspace,
    env: cli.environment,
  });
  expect(await terminal.exited).toBe(0);
  const lines = stripVTControlCharacters(terminal.text()).split(/\r?\n|\r/);
  const theirs = lines.filter((line) => /^[▸│└]/.test(line));
  expect(theirs).toHaveLength(4);
  expect(theirs.filter((line) => line.length > 40)).toEqual([]);
  const calls = theirs.slice(1, 3).toSorted();
  expect(calls[0]).toMatch(/^│ ✓ search_grep a pat.*… [\d.]+ m?s$/);
  expect(calls[1]).toMatch(/^│ ✗ file_read nothi.*: .*… [\d.]+ m?s$/);
});

testAtTerminal.each(["sync", "background"])("Ctrl-C stops an agent in mode %s too", async (mode) => {
  const cli = await createScripted([{ calls: [spawnAgent("waiter", "wait", mode)] }, { text: "I wait." }], {
    waiter: [{ calls: [{ name: "wait_go" }] }, { text: "never said" }],
  });
  const terminal = startRun(cli, ["--session", "stopped"]);
  await terminal.waitFor("1 agent working: wait_go");
  terminal.type("\u0003");
  await terminal.waitFor("What now?");
  const printed = comparable(terminal.text());
  expect(printed).toMatch(/│ (?:wait: )?■ wait_go .*\r\n/);
  expect(printed).toMatch(/└ (?:wait: )?■ stopped \(1 step, 1 call, 0 tokens, TIME\)\r\n/);
  terminal.type("\r");
  await terminal.exited;
  const { stdout } = await cli(["sessions", "--json"]);
  const child = parseLines(stdout).find(({ id }) => id !== "stopped");
  expect(await finishedCalls(cli, String(child!.id))).toEqual([["wait_go", "cancelled"]]);
});
