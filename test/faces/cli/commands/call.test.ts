import { userInfo } from "node:os";
import { expect, test } from "vitest";
import { withoutSandboxNotes } from "../../../support/no-sandbox.ts";
import {
  createCli,
  createCliWithTools,
  mainFile,
  packageAddress,
  parseLines,
  startNode,
} from "../run-cli.ts";

test("the result's text goes to stdout to the letter, with a final line break", async () => {
  const cli = await createCliWithTools({
    "say/raw.mjs": `name: "raw", description: "Says it", params: { text: { type: "string" } },
      traits: { readOnly: true }, run: ({ text }) => text`,
  });
  const say = (text: string) => cli(["call", "say_raw", JSON.stringify({ text }), "--config", "config.json"]);
  expect(await say("no line break \u001b[31m")).toEqual({
    exitCode: 0,
    stdout: "no line break \u001b[31m\n",
    stderr: "",
  });
  expect((await say("one\n")).stdout).toBe("one\n");
  expect((await say("")).stdout).toBe("");
});

test("--json prints the whole result as one document, whatever the status", async () => {
  const cli = await createCli({ "a.txt": "hello\n" });
  const done = await cli(["call", "file_read", '{"path":"a.txt"}', "--json"]);
  expect(JSON.parse(done.stdout)).toMatchObject({
    status: "done",
    data: { content: "hello" },
    receipt: { tool: "file_read", sessionId: "cli", caller: { kind: "person", name: userInfo().username } },
  });
  const failed = await cli(["call", "file_read", '{"path":"b.txt"}', "--json"]);
  expect(failed.exitCode).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({ status: "failed", error: { code: "not-found" } });
});

test("the input may come through stdin, and is {} when it is left out", async () => {
  const cli = await createCli({ "a.txt": "hello\n" });
  const read = await cli(["call", "file_read", "-"], { stdin: '{"path":"a.txt"}' });
  expect(read).toEqual({ exitCode: 0, stdout: "     1\thello\n", stderr: "" });
  expect((await cli(["call", "file_list"])).stdout).toContain("a.txt");
});

test.each([
  [["call", "file_read", "{path"], 2, "toolwright: the input is not valid JSON"],
  [["call", "file_read", "-"], 2, "toolwright: stdin is not valid JSON"],
  [["call", "file_raed", "{}"], 2, 'there is no tool named "file_raed"'],
  [["call", "file_read", '{"pth":"a"}'], 2, "$.pth is not allowed"],
  [["call", "file_read", '{"path":"gone.txt"}'], 1, "gone.txt"],
  [["call", "file_read", '{"path":"../x"}'], 3, "denied"],
  [["call", "file_read", '{"path":".env"}'], 3, "needs approval, but there is nobody to ask"],
])("%j exits with %i and says why on stderr alone", async (words, exitCode, message) => {
  const cli = await createCli({ ".env": "SECRET=1" });
  const result = await cli(words);
  expect({ ...result, stderr: "" }).toEqual({ exitCode, stdout: "", stderr: "" });
  expect(result.stderr).toContain(message);
});

test("a call that takes too long exits with 4, even if its tool never gives up", async () => {
  const cli = await createCliWithTools({
    "wait/long.mjs": `name: "long", description: "Waits", params: {}, traits: { readOnly: true },
      run: () => new Promise(() => setInterval(() => {}, 1000))`,
  });
  const { exitCode, stderr } = await cli(
    ["call", "wait_long", "--timeout", "50", "--config", "config.json"],
    { ownProcess: true },
  );
  expect(exitCode).toBe(4);
  expect(stderr).toContain("no answer within 50 ms");
});

test.each([
  [1, 1],
  [0, 0],
  [null, 1],
])("a done call whose data.exitCode is %j exits with %i", async (inner, exitCode) => {
  const cli = await createCliWithTools({
    "sub/run.mjs": `name: "run", description: "Runs", params: {}, traits: { readOnly: true },
      run: () => ({ exitCode: ${inner}, stdout: "" })`,
  });
  expect((await cli(["call", "sub_run", "--config", "config.json"])).exitCode).toBe(exitCode);
});

test("ending a job is a success, however the job took it", async () => {
  const cli = await createCli();
  const input = JSON.stringify({ command: "sleep 1000", run_in_background: true, keep: true });
  const { exitCode, stderr } = await cli(["call", "shell_run", input, "--mode", "auto"]);
  expect([exitCode, withoutSandboxNotes(stderr)]).toEqual([0, ""]);
  const ended = await cli(["call", "shell_kill", '{"job":"bg_task_1"}']);
  expect(ended).toMatchObject({ exitCode: 0, stdout: "bg_task_1 was stopped.\n" });
});

test("a job that ends with the command is told of before it ends", async () => {
  const cli = await createCli();
  const input = JSON.stringify({ command: "sleep 1000", run_in_background: true });
  const { stdout, stderr } = await cli(["call", "shell_run", input, "--mode", "auto"]);
  expect(stdout).toContain("Started in the background as bg_task_1");
  expect(withoutSandboxNotes(stderr)).toBe(
    'Note: bg_task_1 ends now, with this command. Start it with "keep": true to let it run on.\n',
  );
});

test("Ctrl-C cancels the call, and its receipt says cancelled", async () => {
  const cli = await createCliWithTools({
    "wait/long.mjs": `name: "long", description: "Waits", params: {}, traits: { readOnly: true },
      run: () => { console.log("started"); return new Promise(() => setInterval(() => {}, 1000)); }`,
  });
  const words = ["call", "wait_long", "--json", "--config", "config.json"];
  const child = startNode([mainFile, ...words], { cwd: cli.workspace, env: cli.environment });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const started = new Promise((resolve) => child.stderr.once("data", resolve));
  const exited = new Promise((resolve) => child.on("close", resolve));
  // What the tool prints for itself comes through stderr, and stdout stays one document.
  expect(String(await started)).toBe("started\n");
  child.kill("SIGINT");
  expect(await exited).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ status: "cancelled", error: { code: "cancelled" } });
  const [receipt] = parseLines((await cli(["log", "--json"])).stdout);
  expect(receipt).toMatchObject({ status: "cancelled", tool: "wait_long" });
});

test("calls share the session cli unless told otherwise", async () => {
  const cli = await createCliWithTools({
    "count/up.mjs": `name: "up", description: "Counts", params: {}, traits: { readOnly: true },
      run: (_input, { variables }) => {
        const next = (variables.get("count") ?? 0) + 1;
        variables.set("count", next);
        return String(next);
      }`,
  });
  const count = async (...more: string[]) =>
    (await cli(["call", "count_up", "--config", "config.json", ...more])).stdout;
  expect(await count()).toBe("1\n");
  expect(await count()).toBe("2\n");
  expect(await count("--session", "other")).toBe("1\n");
});

test("mode auto runs a tool that does not say what it touches", async () => {
  const cli = await createCliWithTools(
    { "do/it.mjs": `name: "it", description: "Acts", params: {}, run: () => "did it"` },
    { permissions: { mode: "auto" } },
  );
  const call = (...more: string[]) => cli(["call", "do_it", "--config", "config.json", ...more]);
  expect(await call()).toEqual({ exitCode: 0, stdout: "did it\n", stderr: "" });
  expect((await call("--mode", "ask")).exitCode).toBe(3);
});

test("an uncaught exception of a tool ends the command with one sentence", async () => {
  const cli = await createCliWithTools({
    "go/wild.mjs": `name: "wild", description: "Throws later", params: {}, traits: { readOnly: true },
      run: () => new Promise(() => setImmediate(() => { throw new Error("from nowhere"); }))`,
  });
  const result = await cli(["call", "go_wild", "--config", "config.json"], { ownProcess: true });
  expect(result).toEqual({ exitCode: 1, stdout: "", stderr: "toolwright: from nowhere\n" });
});

test("a tool's own error keeps its code: tools and command line share one copy of the package", async () => {
  const cli = await createCli({
    "tools/look/up.mjs": `import { defineTool, ToolError } from ${JSON.stringify(packageAddress)};
      export default defineTool({ name: "up", description: "Looks", params: {}, traits: { readOnly: true },
        run: () => { throw new ToolError("not-found", "nothing there"); } });`,
    "config.json": '{"toolFolders":["tools"]}',
  });
  const { exitCode, stdout } = await cli(["call", "look_up", "--json", "--config", "config.json"]);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ error: { code: "not-found", message: "nothing there" } });
});
