import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { openRuntime } from "../../../../src/open-runtime.ts";
import { startChild } from "../../../kernel/store/child.ts";
import { type Cli, createCli, parseLines } from "../run-cli.ts";

test("gc removes records older or larger than configured but none in use, and --dry-run lists them first", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  for (const id of ["old", "young", "live"]) await cli(["call", "file_list", "--session", id]);
  const folder = await stateFolder(cli);
  const database = new DatabaseSync(join(folder, "store.sqlite"));
  const longAgo = "2020-01-01T00:00:00.000Z";
  database.exec(`UPDATE sessions SET opened_at = '${longAgo}', closed_at = '${longAgo}' WHERE id <> 'young'`);
  // As a process has it that is in a call: a run that has not ended.
  database.exec(`INSERT INTO variables VALUES ('runs:live', 'run_1', '{"pid":1,"startedAt":"","since":0}')`);
  database.close();
  for (const [id, kind] of [
    ["old", "outputs"],
    ["young", "outputs"],
    ["live", "outputs"],
    ["old", "jobs"],
  ] as const) {
    await mkdir(join(folder, kind, id), { recursive: true });
    await writeFile(join(folder, kind, id, "kept"), "x".repeat(10_000));
  }
  await writeFile(join(cli.workspace, "keep.json"), JSON.stringify({ retention: { sessionDays: 30 } }));
  const gc = (...words: string[]) => cli(["gc", "--config", "keep.json", ...words]);
  const planned = await gc("--dry-run");
  expect(planned).toMatchObject({ exitCode: 0 });
  expect(planned.stdout).toMatch(
    /^would remove 1 session \(.* of log\)\n {2}old\nwould remove 1 output \(12 KiB\)\n/,
  );
  expect(await readdir(join(folder, "outputs"))).toHaveLength(3);
  const done = JSON.parse((await gc("--json")).stdout);
  expect(done).toMatchObject({ sessions: ["old"], outputs: { count: 1 }, jobs: { count: 1 } });
  expect((await readdir(join(folder, "outputs"))).sort()).toEqual(["live", "young"]);
  expect(await readdir(join(folder, "jobs"))).toEqual([]);
  const { stdout } = await cli(["log", "--verify"]);
  expect(stdout.trimEnd().split("\n").sort()).toEqual(["live: ok, 1 receipt", "young: ok, 1 receipt"]);
  await writeFile(join(cli.workspace, "keep.json"), JSON.stringify({ retention: { outputBytes: 0 } }));
  expect(JSON.parse((await gc("--json")).stdout)).toMatchObject({ sessions: [], outputs: { count: 1 } });
  expect(await readdir(join(folder, "outputs", "live"))).toEqual(["kept"]);
  // Earlier contents of files: two blocks each, and one of them is in use by somebody, for all that gc knows.
  await mkdir(join(folder, "blobs"), { recursive: true });
  for (const name of ["a", "b", "c"])
    await writeFile(join(folder, "blobs", name.repeat(64)), "x".repeat(5000));
  for (const name of ["a", "b"])
    await utimes(join(folder, "blobs", name.repeat(64)), new Date(longAgo), new Date(longAgo));
  await writeFile(join(cli.workspace, "keep.json"), JSON.stringify({ retention: { blobBytes: 0 } }));
  const blobs = { count: 2, bytes: 16_384 };
  expect(JSON.parse((await gc("--json", "--dry-run")).stdout)).toMatchObject({ blobs });
  expect(JSON.parse((await gc("--json")).stdout)).toMatchObject({ blobs });
  expect(await readdir(join(folder, "blobs"))).toContain("c".repeat(64));
  // What a process was killed over as it copied the store, and what another is copying now.
  for (const end of ["draft_1", "draft_1-journal", "draft_2"]) {
    const draft = join(folder, `store.sqlite.format-2.${end}`);
    await writeFile(draft, "");
    if (end !== "draft_2") await utimes(draft, new Date(longAgo), new Date(longAgo));
  }
  await gc();
  expect((await readdir(folder)).filter((name) => name.includes("draft"))).toEqual([
    "store.sqlite.format-2.draft_2",
  ]);
  // What others were killed over as they wrote it aside: credentials among it.
  for (const place of ["mcp-credentials", "mcp-clients", "."]) {
    const draft = join(folder, place, "a.new_mi0x2k9f3a9c1b7d2e4f");
    await mkdir(dirname(draft), { recursive: true });
    await writeFile(draft, "secret");
    await utimes(draft, new Date(longAgo), new Date(longAgo));
  }
  await gc();
  expect((await readdir(folder, { recursive: true })).filter((name) => name.includes(".new_"))).toEqual([]);
  // A session of that name is a new one.
  await cli(["call", "file_list", "--session", "old"]);
  expect((await cli(["log", "--verify", "--session", "old"])).stdout).toBe("old: ok, 1 receipt\n");
});

test("a session that can still be undone is not removed, whatever its age is allowed to be", async () => {
  const cli = await createCli();
  await cli(["call", "file_list"]);
  await writeFile(
    join(cli.workspace, "keep.json"),
    JSON.stringify({ retention: { sessionDays: 0, logBytes: 0 } }),
  );
  expect(JSON.parse((await cli(["gc", "--config", "keep.json", "--json"])).stdout)).toMatchObject({
    sessions: [],
  });
});

test("gc removes nothing outside of its folders, whatever a session is called", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  await cli(["call", "file_list", "--session", "old"]);
  const folder = await stateFolder(cli);
  await changeStore(
    cli,
    "UPDATE sessions SET id = '../../../precious', opened_at = '2020', closed_at = '2020'",
  );
  await mkdir(join(cli.folder, "state", "precious"));
  await writeFile(join(cli.workspace, "keep.json"), JSON.stringify({ retention: { sessionDays: 30 } }));
  const { stdout } = await cli(["gc", "--config", "keep.json", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ sessions: ["../../../precious"] });
  expect(await readdir(join(cli.folder, "state"))).toContain("precious");
  expect(await readdir(folder)).toContain("outputs");
});

test("gc gives the room of removed records back to the disk, unless a process has a session open", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  await cli(["call", "file_list", "--session", "old"]);
  const longAgo = "2020-01-01T00:00:00.000Z";
  await changeStore(
    cli,
    `UPDATE sessions SET opened_at = '${longAgo}', closed_at = '${longAgo}';
    UPDATE events SET body = body || '${" ".repeat(1_000_000)}'; VACUUM`,
  );
  await writeFile(join(cli.workspace, "keep.json"), JSON.stringify({ retention: { sessionDays: 30 } }));
  const gc = () => cli(["gc", "--config", "keep.json"]);
  const size = async () => (await stat(join(await stateFolder(cli), "store.sqlite"))).size;
  const before = await size();
  const runtime = await openRuntime({
    workspace: cli.workspace,
    store: `sqlite:${join(await stateFolder(cli), "store.sqlite")}`,
  });
  await runtime.openSession();
  expect((await gc()).stderr).toContain("another process is using the store");
  await runtime.close();
  expect(await size()).toBeGreaterThanOrEqual(before);
  expect(await gc()).toMatchObject({ exitCode: 0, stderr: "" });
  expect(await size()).toBeLessThan(before / 10);
});

test("a session that was never closed is as old as its last call", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  for (const id of ["used", "unused"]) await cli(["call", "file_list", "--session", id]);
  const longAgo = "2020-01-01T00:00:00.000Z";
  // As of a server that was killed today, and of one that was killed then.
  await changeStore(cli, `UPDATE sessions SET opened_at = '${longAgo}', closed_at = NULL`);
  await changeStore(
    cli,
    `UPDATE events SET at = '${longAgo}' WHERE key / 4294967296 = (SELECT number FROM sessions WHERE id = 'unused')`,
  );
  await writeFile(join(cli.workspace, "keep.json"), JSON.stringify({ retention: { sessionDays: 30 } }));
  const { stdout } = await cli(["gc", "--config", "keep.json", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ sessions: ["unused"] });
});

test("a backup is made while another process writes, whole and for the user alone, and never over another file", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  await cli(["call", "file_list"]);
  const writer = new DatabaseSync(join(await stateFolder(cli), "store.sqlite"));
  writer.exec("BEGIN IMMEDIATE; DELETE FROM events");
  const file = join(cli.folder, "copy.sqlite");
  expect(await cli(["backup", file])).toMatchObject({ exitCode: 0 });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const read = await cli(["log", "--verify", "--session", "cli", "--store", `sqlite:${file}`]);
  expect(read.stdout).toBe("cli: ok, 1 receipt; its end is recorded in the store alone\n");
  expect(await cli(["backup", file])).toMatchObject({ exitCode: 2 });
  expect(await cli(["backup", file, "--force"])).toMatchObject({ exitCode: 0 });
  writer.close();
  expect((await cli(["backup", join(cli.folder, "b"), "--store", "memory:"])).stderr).toContain("memory");
});

test("an unfinished backup of a killed process is removed by the next backup, and no other file is", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  await cli(["call", "file_list"]);
  const store = join(await stateFolder(cli), "store.sqlite");
  const file = join(cli.folder, "copy.sqlite");
  const script = new URL("../../../kernel/store/child-back-up.ts", import.meta.url);
  const [killed, alive] = [startChild(script, [store, file]), startChild(script, [store, file])];
  const [left, kept] = [await killed.nextLine(), await alive.nextLine()];
  await killed.kill();
  const others = [`${file}.draft_mwhh8ll2baa401025333`, `${file}.new`];
  for (const other of others) await writeFile(other, "theirs");
  expect(existsSync(left)).toBe(true);
  expect(await cli(["backup", join(cli.folder, "another.sqlite")])).toMatchObject({ exitCode: 0 });
  expect(existsSync(left)).toBe(false);
  for (const each of [...others, kept]) expect(existsSync(each), each).toBe(true);
  await alive.kill();
  expect(await cli(["gc"])).toMatchObject({ exitCode: 0 });
  expect(existsSync(kept)).toBe(false);
  for (const each of others) expect(await readFile(each, "utf8")).toBe("theirs");
  expect(await readdir(`${store}-drafts`)).toEqual([]);
});

test("an exported session is the same after it is imported elsewhere, and an incomplete one is refused", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  for (const path of ["a.txt", "b.txt"]) await cli(["call", "file_read", JSON.stringify({ path })]);
  const exported = await cli(["export", "cli"]);
  expect(exported.exitCode).toBe(0);
  const lines = exported.stdout.trimEnd().split("\n");
  expect(parseLines(exported.stdout)[0]).toMatchObject({
    format: "toolwright-session-1",
    session: { id: "cli" },
  });
  const file = join(cli.folder, "session.jsonl");
  const into = ["--store", `sqlite:${join(cli.folder, "other.sqlite")}`];
  await writeFile(file, lines.slice(0, -1).join("\n"));
  const refused = await cli(["import", file, ...into]);
  expect(refused).toMatchObject({ exitCode: 2 });
  expect(refused.stderr).toMatch(
    /session\.jsonl: the log is broken at event \d+: an event is missing at the end/,
  );
  await writeFile(file, exported.stdout);
  expect(await cli(["import", file, ...into])).toMatchObject({ exitCode: 0 });
  expect((await cli(["export", "cli", ...into])).stdout.split("\n").slice(1)).toEqual([
    ...lines.slice(1),
    "",
  ]);
  expect((await cli(["import", file, ...into])).stderr).toContain('there is a session "cli" already');
  await cli(["call", "file_list", ...into]);
  expect((await cli(["log", "--verify", ...into])).stdout).toBe("cli: ok, 3 receipts\n");
  expect(await readFile(file, "utf8")).toBe(exported.stdout);
});

test("a session that was imported into another workspace goes on there, in its own dialect", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  await cli(["call", "Glob", '{"pattern":"*"}', "--dialect", "claude-code"]);
  const file = join(cli.folder, "session.jsonl");
  await writeFile(file, (await cli(["export", "cli"])).stdout);
  const other = join(cli.folder, "other");
  await mkdir(other);
  const there = (words: string[]) => cli([...words, "--workspace", other]);
  expect(await there(["import", file])).toMatchObject({ exitCode: 0 });
  expect(await there(["call", "Glob", '{"pattern":"*"}'])).toMatchObject({ exitCode: 0 });
  expect((await there(["log", "--verify"])).stdout).toBe("cli: ok, 2 receipts\n");
});

test("a backup takes the place of an ordinary file alone, and never of the store itself", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  await cli(["call", "file_list"]);
  const folder = await stateFolder(cli);
  const link = join(cli.folder, "link");
  await symlink(folder, link);
  for (const name of ["store.sqlite", "store.sqlite-wal", "store.sqlite-anchors"]) {
    for (const place of [folder, link]) {
      const { exitCode, stderr } = await cli(["backup", join(place, name), "--force"]);
      expect(exitCode, name).toBe(2);
      expect(stderr).toContain("belongs to the store itself");
    }
  }
  const pipe = join(cli.folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const place of [cli.folder, pipe]) {
    const { exitCode, stderr } = await cli(["backup", place, "--force"]);
    expect(exitCode, place).toBe(2);
    expect(stderr).toBe(`toolwright: ${place} is not a regular file\n`);
  }
  const { exitCode, stderr } = await cli(["backup", "no/such/copy.sqlite"]);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /^toolwright: cannot write no\/such\/copy\.sqlite: ENOENT: no such file or directory\n$/,
  );
  expect((await cli(["log", "--verify"])).stdout).toBe("cli: ok, 1 receipt\n");
});

test("doctor names damage of which no chain tells, and sessions can be brought into a new store", async () => {
  const cli = await createCli({ "a.txt": "x\n" });
  await cli(["call", "file_list"]);
  const file = join(await stateFolder(cli), "store.sqlite");
  const database = new DatabaseSync(file);
  const { rootpage } = database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'receipts_by_call'")
    .get()!;
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  const handle = await open(file, "r+");
  await handle.write(Buffer.alloc(4096, 0xff), 0, 4096, (Number(rootpage) - 1) * 4096);
  await handle.close();
  expect((await cli(["log", "--verify"])).stdout).toBe("cli: ok, 1 receipt\n");
  const { stdout, exitCode } = await cli(["doctor"]);
  expect(stdout).toMatch(/fail {2}store .*the database is damaged: .*; docs\/operations\.md says how/);
  expect(exitCode).toBe(1);
  const exported = join(cli.folder, "cli.jsonl");
  await writeFile(exported, (await cli(["export", "cli"])).stdout);
  await rename(file, join(cli.folder, "damaged.sqlite"));
  await rm(`${file}-anchors`);
  expect(await cli(["import", exported])).toMatchObject({ exitCode: 0 });
  expect(await cli(["call", "file_list"])).toMatchObject({ exitCode: 0 });
  expect((await cli(["log", "--verify"])).stdout).toBe("cli: ok, 2 receipts\n");
  expect((await cli(["doctor"])).stdout).toMatch(/ok +store/);
});

async function changeStore(cli: Cli, sql: string): Promise<void> {
  const database = new DatabaseSync(join(await stateFolder(cli), "store.sqlite"));
  database.exec(sql);
  database.close();
}

async function stateFolder(cli: Cli): Promise<string> {
  const base = join(cli.folder, "state", "toolwright");
  const [folder = ""] = await readdir(base);
  return join(base, folder);
}
