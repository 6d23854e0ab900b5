import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { needs } from "../../../support/needs.ts";
import { type Cli, createCli, createCliWithTools, mainFile, parseLines } from "../run-cli.ts";

test("log lists receipts newest first, a line each, no more than asked for", async () => {
  const cli = await createCli({ "a.txt": "hello" });
  await cli(["call", "file_list"]);
  await cli(["call", "file_read", '{"path":"../x"}']);
  await cli(["call", "file_read", '{"path":"a.txt"}', "--session", "other"]);
  const { exitCode, stdout } = await cli(["log"]);
  expect(exitCode).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split(/ {2,}/).slice(1, 4))).toEqual([
    ["done", "file_read", "mode ask"],
    ["denied", "file_read", "floor"],
    ["done", "file_list", "mode ask"],
  ]);
  expect(lines[0]).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ .*\{"path":"a\.txt".* +\d+ ms +call_\w+$/);
  expect((await cli(["log", "--limit", "1"])).stdout.trimEnd().split("\n")).toHaveLength(1);
  const other = parseLines((await cli(["log", "--json", "--session", "other"])).stdout);
  expect(other).toMatchObject([{ sessionId: "other", tool: "file_read" }]);
});

test("log tells a preview from the call itself, in the list and in full, also one that failed", async () => {
  const cli = await createCli({ "a.txt": "hello" });
  const edit = JSON.stringify({ path: "a.txt", old_string: "hello", new_string: "bye" });
  await cli(["call", "file_edit", edit, "--mode", "edit", "--dry-run"]);
  await cli(["call", "file_edit", edit.replace("hello", "nothing"), "--mode", "edit", "--dry-run"]);
  await cli(["call", "file_edit", edit, "--mode", "edit"]);
  const lines = (await cli(["log"])).stdout.trimEnd().split("\n");
  expect(lines.map((line) => line.split(/ {2,}/)[1])).toEqual(["done", "preview failed", "preview"]);
  const receipts = parseLines((await cli(["log", "--json"])).stdout) as { callId: string; isDryRun?: true }[];
  expect(receipts.map(({ isDryRun }) => isDryRun)).toEqual([undefined, true, true]);
  const shown = await cli(["log", receipts[2]!.callId]);
  expect(shown.stdout).toMatch(/^preview +nothing was changed$/m);
});

test("one receipt is shown in full by its call's id", async () => {
  const cli = await createCli();
  const { callId } = JSON.parse((await cli(["call", "file_list", "--json"])).stdout);
  const shown = await cli(["log", callId]);
  expect(shown.exitCode).toBe(0);
  for (const part of [
    callId,
    /status +done/,
    /decided by +mode ask/,
    /hash +[0-9a-f]{64}/,
    /"recursive": false/,
  ]) {
    expect(shown.stdout).toMatch(part);
  }
  expect(JSON.parse((await cli(["log", callId, "--json"])).stdout)).toMatchObject({ callId, position: 1 });
  expect(await cli(["log", "call_none"])).toMatchObject({ exitCode: 2, stdout: "" });
});

test("log says on stderr that there are no calls yet", async () => {
  const cli = await createCli();
  expect(await cli(["log"])).toEqual({ exitCode: 0, stdout: "", stderr: "no calls yet\n" });
});

test("text from a caller cannot steer the terminal that shows the log", async () => {
  const cli = await createCli();
  const result = await cli([
    "call",
    "file_read",
    JSON.stringify({ path: "a\u009b2J\u202eb\u001b[0m" }),
    "--json",
  ]);
  await cli(["call", "no\u001b[2Jtool"]);
  const { callId } = JSON.parse(result.stdout);
  for (const words of [["log"], ["log", callId]]) {
    const { stdout } = await cli(words);
    expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(stdout).toContain("\\u{9b}2J\\u{202e}b\\u001b[0m");
  }
});

test("the records can be read even when a rule or a tool is broken", async () => {
  const cli = await createCli({ "config.json": '{"permissions":{"deny":["nonsense_tool"]}}' });
  await cli(["call", "file_list"]);
  expect((await cli(["call", "file_list", "--config", "config.json"])).exitCode).toBe(2);
  const log = await cli(["log", "--json", "--config", "config.json"]);
  expect(parseLines(log.stdout)).toHaveLength(1);
});

test("a session that does not exist is wrong usage", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  for (const words of [["log"], ["log", "--json"], ["log", "--verify"], ["sessions"]]) {
    expect(await cli([...words, "--session", "nope"])).toMatchObject({
      exitCode: 2,
      stdout: words.includes("--json") ? expect.stringMatching(/^\{"status":"failed",.*\n$/) : "",
      stderr: expect.stringContaining('no session "nope"'),
    });
  }
});

test("a session without calls is one all the same", async () => {
  const cli = await createCli();
  await cli(["explain", "file_list", "--session", "quiet"]);
  expect(await cli(["log", "--session", "quiet"])).toEqual({
    exitCode: 0,
    stdout: "",
    stderr: "no calls yet\n",
  });
});

test("--verify says of every session whether its chain holds", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  await cli(["call", "file_list", "--session", "other"]);
  await cli(["call", "file_list", "--session", "other"]);
  const all = await cli(["log", "--verify"]);
  expect(all.exitCode).toBe(0);
  expect(all.stdout.trimEnd().split("\n").sort()).toEqual(["cli: ok, 1 receipt", "other: ok, 2 receipts"]);
  expect((await cli(["log", "--verify", "--session", "cli"])).stdout).toBe("cli: ok, 1 receipt\n");
  const json = await cli(["log", "--verify", "--session", "cli", "--json"]);
  expect(parseLines(json.stdout)).toEqual([{ sessionId: "cli", events: expect.any(Number), receipts: 1 }]);
  expect((await cli(["log", "--verify", "--session", "none"])).exitCode).toBe(2);
});

test("--verify names the receipt of which a single byte was changed", async () => {
  const cli = await createCliWithTools({});
  const callIds: string[] = [];
  for (const path of ["one", "two", "three"]) {
    const { stdout } = await cli(["call", "file_list", JSON.stringify({ path }), "--json"]);
    callIds.push(JSON.parse(stdout).callId);
  }
  const database = new DatabaseSync(await storeFile(cli));
  database.exec(`UPDATE events SET body = replace(body, '"two"', '"twO"') WHERE position = 2`);
  database.close();
  const { exitCode, stdout } = await cli(["log", "--verify"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(new RegExp(`^cli: broken at event \\d+ \\(${callIds[1]}\\): .*content.*\n$`));
  const [report] = parseLines((await cli(["log", "--verify", "--json"])).stdout);
  expect(report).toMatchObject({ broken: { callId: callIds[1] } });
  const doctor = await cli(["doctor"]);
  expect(doctor.exitCode).toBe(1);
  expect(doctor.stdout).toMatch(/fail +receipts +the chain is broken in cli/);
});

test("--verify notices receipts that were cut off the end", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  await cli(["call", "file_list"]);
  const database = new DatabaseSync(await storeFile(cli));
  database.exec("DELETE FROM events WHERE position = 2");
  database.close();
  const { exitCode, stdout } = await cli(["log", "--verify"]);
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/^cli: broken at event \d+: an event is missing\n$/);
});

test("a damaged record does not lock its session, and is named where it would be shown", async () => {
  const cli = await createCli();
  const { callId } = JSON.parse((await cli(["call", "file_list", "--json"])).stdout);
  const database = new DatabaseSync(await storeFile(cli));
  database.exec(
    `UPDATE events SET body = '{' WHERE call_id = '${callId}' OR body LIKE '{"type":"call-start"%'`,
  );
  database.exec("UPDATE variables SET value = '{'");
  database.close();
  expect((await cli(["call", "file_list"])).exitCode).toBe(0);
  const { exitCode, stdout, stderr } = await cli(["log"]);
  expect(exitCode).toBe(0);
  expect(stdout.trimEnd().split("\n")).toHaveLength(1);
  expect(stderr).toMatch(
    new RegExp(`^damaged: event \\d+ of session cli, the receipt of call ${callId}, cannot be read`),
  );
  expect((await cli(["log", "--verify"])).stdout).toMatch(/^cli: broken at event \d+/);
});

test("a value beside a log that cannot be read is named by log --verify and doctor", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  const database = new DatabaseSync(await storeFile(cli));
  database.exec("INSERT INTO variables VALUES ('session:cli', 'mine', '{'), ('kept-answers', 'key', '{')");
  database.close();
  expect(await cli(["log", "--verify"])).toMatchObject({
    exitCode: 1,
    stdout: "cli: damaged beside its log, which is ok, 1 receipt: cannot read session:cli mine\n",
    stderr: "damaged: kept-answers key, cannot be read\n",
  });
  expect((await cli(["doctor"])).stdout).toContain("cannot be read: kept-answers key, session:cli mine");
});

const testInside = await needs("bubblewrap");

testInside("the records can be read and verified where nothing can be written", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  const file = await storeFile(cli);
  // A process that was killed leaves its newest records in the write-ahead log.
  const holder = new DatabaseSync(file);
  holder.exec("SELECT 1 FROM events");
  await cli(["call", "file_list"]);
  const state = join(cli.folder, "state");
  const mounts = ["--dev-bind", "/", "/", "--ro-bind", state, state];
  const inside = (words: readonly string[]) =>
    run("bwrap", [...mounts, process.execPath, mainFile, ...words], {
      cwd: cli.workspace,
      env: cli.environment,
    });
  expect(parseLines((await inside(["log", "--json"])).stdout)).toHaveLength(2);
  expect((await inside(["log", "--verify"])).stdout).toBe("cli: ok, 2 receipts\n");
  expect((await inside(["sessions", "--json"])).stdout).toContain('"calls":2');
  holder.close();
});

const run = promisify(execFile);

async function storeFile(cli: Cli): Promise<string> {
  const base = join(cli.folder, "state", "toolwright");
  const [folder = ""] = await readdir(base);
  return join(base, folder, "store.sqlite");
}
