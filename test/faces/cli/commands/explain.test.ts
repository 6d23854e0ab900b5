import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createCli, createCliWithTools, parseLines } from "../run-cli.ts";

test("explain tells the decision, its reason, who decided, the class and the effects", async () => {
  const cli = await createCli({ "a.txt": "", ".env": "" });
  const allowed = await cli(["explain", "file_read", '{"path":"a.txt"}']);
  expect(allowed.exitCode).toBe(0);
  expect(allowed.stdout).toMatch(
    /^allow\nreason +mode ask allows reading\ndecided by +mode ask\nclass +read\nreads +a\.txt\n$/,
  );
  const asking = await cli(["explain", "file_read", '{"path":".env"}', "--json"]);
  expect(asking.exitCode).toBe(0);
  expect(JSON.parse(asking.stdout)).toMatchObject({
    decision: "ask",
    decidedBy: "floor",
    permissionClass: "read",
    effects: { reads: [".env"], writes: [], runs: [], hosts: [], opaque: false },
  });
});

test("a denial is an answer of explain, not a failure", async () => {
  const cli = await createCli({
    "a.txt": "",
    "config.json": '{"permissions":{"deny":["file_read(*.txt)"]}}',
  });
  const { exitCode, stdout } = await cli([
    "explain",
    "Read",
    `{"file_path":"${cli.workspace}/a.txt"}`,
    "--config",
    "config.json",
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^deny\nreason +rule file_read\(\*\.txt\) denies it\n/);
});

test("explaining runs nothing and leaves no receipt", async () => {
  const cli = await createCliWithTools({
    "do/it.mjs": `name: "it", description: "Acts", params: {}, run: () => { throw new Error("ran"); }`,
  });
  const { stdout } = await cli(["explain", "do_it", "--config", "config.json"]);
  expect(stdout).toMatch(/^ask\n/);
  expect((await cli(["log", "--json"])).stdout).toBe("");
});

test.each([
  [["explain", "file_raed", "{}"], 'there is no tool named "file_raed"'],
  [["explain", "file_read", '{"path":5}'], "$.path must be"],
  [["explain", "file_read", "{"], "the input is not valid JSON"],
  [["explain"], "no tool given; usage: toolwright explain"],
  [["explain", "file_read", "--batch", "x.jsonl"], "either a tool name or --batch, not both"],
  [["explain", "--batch", "gone.jsonl"], "cannot read gone.jsonl"],
  [["explain", "--batch", "."], "is a folder"],
])("%j is wrong usage", async (words, message) => {
  const cli = await createCli();
  const { exitCode, stdout, stderr } = await cli(words);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
  expect(stderr).toContain(message);
});

test("a batch of calls to explain gives one verdict per line, in order, whatever is wrong with some of them", async () => {
  const cli = await createCli({ "a.txt": "", ".env": "" });
  const lines = [
    '{"id":"a","tool":"file_read","input":{"path":"a.txt"}}',
    "not json",
    '{"id":"b","tool":"file_raed","input":{}}',
    '{"id":3,"tool":"file_read","input":{"path":7}}',
    '{"tool":"file_list"}',
    '{"id":"c"}',
    '{"id":"d","tool":"file_list","inptu":{}}',
    "[]",
    "",
    '{"id":"e","tool":"file_read","input":{"path":"a\u2028b"}}\r',
    '{"id":"f","tool":"file_read","input":{"path":".env"}}',
  ];
  const file = join(cli.workspace, "calls.jsonl");
  await writeFile(file, lines.join("\n"));
  const fromFile = await cli(["explain", "--batch", "calls.jsonl"]);
  const fromStdin = await cli(["explain", "--batch", "-"], { stdin: lines.join("\n") });
  expect(fromStdin).toEqual(fromFile);
  expect(fromFile).toMatchObject({ exitCode: 0, stderr: "" });
  const verdicts = parseLines(fromFile.stdout);
  expect(verdicts.map(({ id, decision }) => [id, decision])).toEqual([
    ["a", "allow"],
    [null, "deny"],
    ["b", "deny"],
    [3, "deny"],
    [null, "deny"],
    ["c", "deny"],
    ["d", "deny"],
    [null, "deny"],
    [null, "deny"],
    ["e", "allow"],
    ["f", "ask"],
  ]);
  expect(verdicts[2]).toEqual({
    id: "b",
    decision: "deny",
    reason: 'there is no tool named "file_raed"',
    decidedBy: "input check",
    permissionClass: "execute",
    effects: { reads: [], writes: [], runs: [], hosts: [], opaque: false },
    error: { code: "unknown-tool", message: 'there is no tool named "file_raed"' },
  });
  expect(verdicts[3]).toMatchObject({ error: { code: "invalid-input" } });
});

test("the purpose of a command is told in words beside its class", async () => {
  const cli = await createCli({ "a.txt": "" });
  const explain = async (command: string) =>
    (await cli(["explain", "shell_run", JSON.stringify({ command })])).stdout;
  expect(await explain("rm a.txt")).toMatch(/class +execute \(prints nothing\)\n/);
  expect(await explain("cat a.txt")).toMatch(/class +\w+ \(reads\)\n/);
  expect(await explain("make")).toMatch(/class +execute\n/);
});

test("letters that pass for others are written out wherever the command is repeated", async () => {
  const cli = await createCli({});
  const command = "curl https://p\u0430ypal.com/";
  const { stdout } = await cli(["explain", "shell_run", JSON.stringify({ command })]);
  expect(stdout).not.toContain("\u0430");
  expect(stdout).toContain("└ ask curl https://p\\u{430}ypal.com/");
});
