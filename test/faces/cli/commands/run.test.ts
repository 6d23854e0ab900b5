import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScriptedStep } from "../../../../src/capabilities/agents/index.ts";
import { startCli } from "../../../e2e/start-cli.ts";
import { startModelServer } from "../../../support/model-server/start-model-server.ts";
import { type Cli, createCli, mainFile, parseLines } from "../run-cli.ts";
import { createScripted as createScriptedRun, scriptFlags, write } from "../scripted-run.ts";
import { startTerminal, testAtTerminal } from "../start-terminal.ts";

function createScripted(steps: readonly ScriptedStep[]): Promise<Cli> {
  return createCli({ "script.json": JSON.stringify(steps), "a.txt": "hello world\n" });
}

const patience = { timeout: 45_000 };
const scripted = ["--model", "scripted/script.json"];

function startRun(cli: Cli, words: readonly string[]) {
  return startTerminal([process.execPath, mainFile, "run", ...words], {
    cwd: cli.workspace,
    env: cli.environment,
  });
}

test("run prints the answer, and tells of the calls beside it", async () => {
  const cli = await createScripted([
    { text: "Let me see.", calls: [{ name: "Grep", input: { pattern: "hello" } }] },
    { calls: [{ name: "Bash", input: { command: "echo this; exit 3" } }] },
    { text: "It greets the world." },
  ]);
  const { stdout, stderr, exitCode } = await cli(["run", "what is it?", "--mode", "auto", ...scripted]);
  expect(stdout).toBe("It greets the world.\n");
  expect(stderr).toMatch(/✓ Grep hello \d+ ms\n✓ Bash echo this; exit 3 [\d.]+ m?s\n {2}Exit code 3\.\n/);
  expect(stderr).toMatch(/3 steps.*toolwright run --resume session_\w+/);
  expect(exitCode).toBe(0);
});

test("run prints every event as a line of JSON, up to the end", async () => {
  const cli = await createScripted([{ text: "Hello there." }]);
  const { stdout, exitCode } = await cli(["run", "-", "--json", ...scripted], { stdin: "say hello" });
  const types = parseLines(stdout).map(({ type }) => type);
  expect(types).toEqual([
    "agent-start",
    "user-message",
    "step-start",
    "text-delta",
    "assistant-message",
    "step-end",
    "agent-end",
  ]);
  expect(exitCode).toBe(0);
});

test("run --schema prints the answer as JSON and nothing else, also if it fails", async () => {
  const cli = await createCli({
    "script.json": JSON.stringify([{ text: "Two." }, { text: '```json\n{"count":2}\n```' }]),
    "wrong.json": JSON.stringify([{ text: "Two." }, { text: '{"count":"two"}' }]),
    "schema.json": JSON.stringify({ properties: { count: { type: "integer" } }, required: ["count"] }),
    "unknown.json": '{"type":"objekt"}',
  });
  const run = (model: string, ...words: string[]) =>
    cli(["run", "count", "--model", `scripted/${model}`, ...words]);
  const fitting = await run("script.json", "--schema", "schema.json");
  expect(fitting).toMatchObject({ stdout: '{\n  "count": 2\n}\n', exitCode: 0 });
  const { stdout: lines } = await run("script.json", "--schema", "schema.json", "--json");
  expect(parseLines(lines).at(-1)).toMatchObject({ type: "agent-end", reason: "done", value: { count: 2 } });
  const unfit = await run("wrong.json", "--schema", "schema.json");
  expect(unfit).toMatchObject({ stdout: "", exitCode: 1 });
  expect(unfit.stderr).toContain(
    "the model failed: its answer does not fit the schema, also after it was told why: $.count must be",
  );
  const { stdout: before } = await cli(["sessions", "--json"]);
  const refused = await run("script.json", "--schema", "unknown.json");
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("--schema: unknown.json is not a JSON Schema that can be checked: #/type");
  expect((await cli(["sessions", "--json"])).stdout).toBe(before);
});

test("run goes on with a conversation in another process, in the same dialect", async () => {
  const cli = await createCli();
  const server = await startModelServer((_request, count) => ({ text: `answer ${count}` }));
  const model = ["--model", "anything", "--base-url", server.url];
  const first = await cli(["run", "my name is Ada", "--json", "--dialect", "kode", ...model]);
  const [{ sessionId }] = parseLines(first.stdout) as [{ sessionId: string }];
  const second = await cli(["run", "what is my name?", "--resume", sessionId, ...model]);
  expect(second.stdout).toBe("answer 2\n");
  const { messages, tools } = server.requests[1]!.body;
  expect(tools[0].function.name).toBe("fs_read");
  expect(messages.slice(1).map(({ content }: { content: string }) => content)).toEqual([
    "my name is Ada",
    "answer 1",
    "what is my name?",
  ]);
  const third = await cli(["run", "--resume", sessionId, ...model]);
  expect(third).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("nothing to continue") });
});

test.each([
  [["run"], "no prompt given"],
  [["run", ""], "no prompt given"],
  [["run", "hi"], "no model given"],
  [["run", "hi", "--model", "anthropic/claude"], "needs an API key: set ANTHROPIC_API_KEY"],
  [["run", "hi", "--model", "gemini/flash"], "unknown model"],
  [["run", "hi", "--model", "scripted/none.json"], "cannot read the script none.json"],
  [["run", "hi", "--resume", "nothing", "--model", "x/y"], "no session"],
  [["run", "hi", "--max-steps", "0", "--model", "x/y"], "--max-steps"],
  [
    ["run", "hi", "--tools", "Raed,Grep", ...scripted],
    'tools: there is no tool named "Raed"; did you mean Read',
  ],
  [["run", "hi", "--tools", "nobody_*", ...scripted], 'no tool matches "nobody_*"'],
  [["run", "hi", "--tools", " , ", ...scripted], "--tools needs tool names"],
])("%j is told in one sentence, and leaves no conversation behind", async (words, message) => {
  const cli = await createScripted([{ text: "Hello." }]);
  const { stderr, exitCode, stdout } = await cli(words);
  expect(stderr).toContain(message);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect((await cli(["sessions"])).stderr).toBe("no sessions yet\n");
});

test("run offers only the tools that it is told to, and refuses any other", async () => {
  const cli = await createCli({ "a.txt": "hello\n" });
  const call = { name: "Bash", input: { command: "true" }, id: "a" };
  const server = await startModelServer([{ calls: [call] }, { text: "I may not." }]);
  const model = ["--model", "anything", "--base-url", server.url, "--mode", "auto"];
  const { stderr, exitCode } = await cli(["run", "go", "--tools", "Read, search_*", ...model]);
  const { tools } = server.requests[0]!.body;
  const names = tools.map(({ function: { name } }: { function: { name: string } }) => name);
  expect(names).toEqual(["Read", "Glob", "Grep"]);
  expect(stderr).toContain("Bash is not allowed here; allowed: Read, Glob, Grep");
  expect(exitCode).toBe(0);
});

test("run without a person to ask tells in the end what to do about the calls that were not run", async () => {
  const cli = await createScriptedRun(
    [
      { calls: [write("one.txt"), { name: "Agent", input: { prompt: "go", agent_type: "writer" } }] },
      { text: "I could not." },
    ],
    { writer: [{ calls: [write("two.txt")] }, { text: "Nor could I." }] },
  );
  const { stderr, exitCode } = await cli(["run", "go", ...scriptFlags]);
  const [advice] = stderr.trimEnd().split("\n").slice(-2);
  expect(advice).toMatch(/^2 calls needed approval, but there was nobody to ask; .*--mode edit/);
  expect(exitCode).toBe(0);
  const allowed = await cli(["run", "go", "--mode", "edit", ...scriptFlags]);
  expect(allowed.stderr).not.toContain("needed approval");
});

test("a model that fails is told of, and the exit code shows it", async () => {
  const server = await startModelServer([{ status: 401, message: "wrong key" }]);
  const environment = { ANTHROPIC_API_KEY: "sk-wrong-key" };
  const cli = await createCli();
  Object.assign(cli.environment, environment);
  const words = ["run", "hi", "--model", "anthropic/claude", "--base-url", server.url];
  const { stderr, exitCode } = await cli(words);
  expect(stderr).toContain("the model failed: wrong key (HTTP 401");
  expect(exitCode).toBe(1);
});

const edit = { file_path: "a.txt", old_string: "hello", new_string: "goodbye" };

function editing(cli: Cli): ScriptedStep {
  return { calls: [{ name: "Edit", input: { ...edit, file_path: join(cli.workspace, "a.txt") } }] };
}

async function createEditing(): Promise<Cli> {
  const cli = await createCli({ "a.txt": "hello world\n" });
  const { writeFile } = await import("node:fs/promises");
  const script = [editing(cli), { text: "That is that." }];
  await writeFile(join(cli.workspace, "script.json"), JSON.stringify(script));
  return cli;
}

testAtTerminal.each([
  ["y", "goodbye world\n", "✓"],
  ["n", "hello world\n", "⊘"],
])(
  "a person at a terminal sees what exactly an edit would change, and says %s",
  async (key, content, mark) => {
    const cli = await createEditing();
    const terminal = startRun(cli, ["change it", ...scripted]);
    await terminal.waitFor("Allow it? [y/N]");
    expect(terminal.text()).toMatch(/-hello world.*\+goodbye world/s);
    terminal.type(`${key}\r`);
    expect(await terminal.exited).toBe(0);
    expect(await readFile(join(cli.workspace, "a.txt"), "utf8")).toBe(content);
    expect(terminal.text()).toContain(mark);
    expect(terminal.text()).toContain("That is that.");
  },
);

testAtTerminal(
  "Ctrl-C interrupts, what is typed then is the next message, and Ctrl-C there quits",
  async () => {
    const cli = await createCli();
    const server = await startModelServer((_request, count) =>
      count < 3 ? { text: "I wonder about it now", hangAt: "text" } : { text: "never asked" },
    );
    const terminal = startRun(cli, ["go", "--model", "any", "--base-url", server.url]);
    await terminal.waitFor("I ");
    terminal.type("\u0003");
    await terminal.waitFor("What now?");
    terminal.type("something else\r");
    await expect.poll(() => server.requests.length, patience).toBe(2);
    const { messages } = server.requests[1]!.body;
    expect(messages.at(-1)).toEqual({ role: "user", content: "something else" });
    terminal.type("\u0003");
    await expect.poll(() => terminal.text().split("What now?").length, patience).toBe(3);
    terminal.type("\u0003");
    expect(await terminal.exited).not.toBe(0);
  },
);

testAtTerminal("a question of the agent is put to the person, and the answer reaches it", async () => {
  const cli = await createCli();
  const question = { question: "Which of them?", choices: ["the first", "the second"] };
  const server = await startModelServer([
    { calls: [{ name: "user_ask", input: question }] },
    { text: "Thank you." },
  ]);
  const terminal = startRun(cli, ["go", "--model", "any", "--base-url", server.url]);
  await terminal.waitFor("1-2");
  terminal.type("2\r");
  expect(await terminal.exited).toBe(0);
  expect(server.requests[1]!.body.messages.at(-1).content).toContain("the second");
});

test("a signal to end the process is not answered by asking what to do next", async () => {
  const cli = await createCli();
  const server = await startModelServer([{ text: "I think about it for long", hangAt: "text" }]);
  const child = startCli(cli, ["run", "go", "--model", "any", "--base-url", server.url, "--json"]);
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  await expect.poll(() => printed, patience).toContain("text-delta");
  child.kill("SIGTERM");
  const [exitCode] = await once(child, "close");
  expect(exitCode).toBe(1);
  expect(parseLines(printed).at(-1)).toMatchObject({ type: "agent-end", reason: "interrupted" });
});

testAtTerminal("Ctrl-C pressed twice quits at once", async () => {
  const cli = await createScripted([
    { calls: [{ name: "Bash", input: { command: "trap '' TERM INT; sleep 60 & wait; sleep 60" } }] },
  ]);
  const terminal = startRun(cli, ["go", "--mode", "auto", ...scripted]);
  await terminal.waitFor("Bash trap");
  terminal.type("\u0003");
  await terminal.waitFor("press Ctrl-C again to quit");
  terminal.type("\u0003");
  expect(await terminal.exited).not.toBe(0);
});

testAtTerminal("a line typed while the agent works is read with the next step", async () => {
  const cli = await createCli();
  const free = Promise.withResolvers<void>();
  const server = await startModelServer(async (_request, count) => {
    if (count === 1) await free.promise;
    return count === 1 ? { calls: [{ name: "Glob", input: { pattern: "*" } }] } : { text: "understood" };
  });
  const terminal = startRun(cli, ["go", "--model", "any", "--base-url", server.url]);
  await expect.poll(() => server.requests.length, patience).toBe(1);
  terminal.type("and be quick\r");
  await terminal.waitFor("reads this at its next step");
  free.resolve();
  expect(await terminal.exited).toBe(0);
  expect(server.requests[1]!.body.messages.at(-1)).toEqual({ role: "user", content: "and be quick" });
});
