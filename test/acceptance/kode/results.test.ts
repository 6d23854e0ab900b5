import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Session } from "../../../src/index.ts";
import { openFileSession } from "../../support/open-file-session.ts";

const documented = [
  "fs_read",
  "fs_write",
  "fs_edit",
  "fs_glob",
  "fs_grep",
  "fs_multi_edit",
  "bash_run",
  "bash_logs",
  "bash_kill",
  "todo_read",
  "todo_write",
  "task_run",
  "skills",
];

const openKode = () =>
  openFileSession(
    { "a.txt": "one\ntwo\ntwo\nfour\n", "src/b.ts": "const a = 'x.y';\n", "src/c.ts": "xay\n" },
    { dialect: "kode", deferral: { maxTools: 100 } },
  );

/** The result as data, which must be what the model reads as JSON. */
async function call(session: Session, name: string, input: object): Promise<unknown> {
  const { status, text, data } = await session.call(name, input);
  expect({ status, read: JSON.parse(text) }).toEqual({ status: "done", read: data });
  return data;
}

test("K1: each of the documented tools has a manual for the model", async () => {
  const { session } = await openKode();
  const manuals = [...session.toolManuals().matchAll(/^## (\S+)\n+(\S.*)/gm)].map(([, name]) => name);
  expect(manuals).toEqual(expect.arrayContaining(documented));
});

test("K2: a result is JSON, in the text as in the data, also where the call failed", async () => {
  const { session } = await openKode();
  expect(await call(session, "fs_read", { path: "a.txt" })).toMatchObject({ content: expect.any(String) });
  const { status, text, data } = await session.call("fs_read", { path: "nowhere.txt" });
  expect(status).toBe("failed");
  expect(JSON.parse(text)).toEqual(data);
  expect(data).toMatchObject({
    ok: false,
    error: expect.any(String),
    errorType: "runtime",
    retryable: false,
  });
});

test("K5: fs_read gives path, offset, limit, truncated and content, with lines counted from 1", async () => {
  const { session } = await openKode();
  expect(await call(session, "fs_read", { path: "a.txt", offset: 2, limit: 2 })).toEqual({
    path: "a.txt",
    offset: 2,
    limit: 2,
    truncated: true,
    content: "two\ntwo",
    totalLines: 4,
  });
  expect(await call(session, "fs_read", { path: "a.txt" })).toMatchObject({ truncated: false });
});

test("K6: fs_write gives ok, path, bytes and length, the length in characters", async () => {
  const { session, workspace } = await openKode();
  expect(await call(session, "fs_write", { path: "new/x.txt", content: "hé\nx" })).toEqual({
    ok: true,
    path: "new/x.txt",
    bytes: 5,
    length: 4,
    lines: 2,
  });
  expect(await readFile(join(workspace, "new/x.txt"), "utf8")).toBe("hé\nx");
});

test("K7: fs_edit gives ok, path, replacements and the length of the new text, and can replace all places", async () => {
  const { session } = await openKode();
  const edit = { path: "a.txt", old_string: "two", new_string: "é" };
  expect((await session.call("fs_edit", edit)).error?.code).toBe("ambiguous-match");
  expect(await call(session, "fs_edit", { ...edit, replace_all: true })).toEqual({
    ok: true,
    path: "a.txt",
    replacements: 2,
    length: 13,
    bytes: 15,
  });
});

test("K8: fs_glob gives ok, pattern, cwd, matches and truncated", async () => {
  const { session } = await openKode();
  const found = (await call(session, "fs_glob", { pattern: "*.ts", cwd: "src" })) as { matches: string[] };
  expect({ ...found, matches: found.matches.toSorted() }).toEqual({
    ok: true,
    pattern: "*.ts",
    cwd: "src",
    matches: ["src/b.ts", "src/c.ts"],
    truncated: false,
  });
});

test("K9: fs_grep searches for plain text or a regular expression, in a file or in all files that match a glob", async () => {
  const { session } = await openKode();
  expect(await call(session, "fs_grep", { pattern: "x.y", path: "src/b.ts" })).toEqual({
    ok: true,
    pattern: "x.y",
    path: "src/b.ts",
    matches: [{ path: "src/b.ts", line: 1, preview: "const a = 'x.y';" }],
    truncated: false,
  });
  const paths = async (input: object) => {
    const { matches } = (await call(session, "fs_grep", input)) as { matches: { path: string }[] };
    return matches.map(({ path }) => path).toSorted();
  };
  expect(await paths({ pattern: "x.y", glob: "src/*.ts" })).toEqual(["src/b.ts"]);
  expect(await paths({ pattern: "x.y", glob: "src/*.ts", regex: true })).toEqual(["src/b.ts", "src/c.ts"]);
  expect(await paths({ pattern: "x.y", path: "src/*.ts" })).toEqual(["src/b.ts"]);
  expect(await paths({ pattern: "x.y", path: "**/c.*", regex: true })).toEqual(["src/c.ts"]);
  expect(await paths({ pattern: "x.y", path: "*.ts", regex: true })).toEqual([]);
  expect(await paths({ pattern: "X.Y" })).toEqual([]);
});

test("K10: fs_multi_edit gives ok and a status for each file, with a message where one failed", async () => {
  const { session } = await openKode();
  const edit = (path: string, find: string) => ({ path, find, replace: "new" });
  expect(
    await call(session, "fs_multi_edit", { edits: [edit("a.txt", "one"), edit("src/c.ts", "xay")] }),
  ).toEqual({
    ok: true,
    results: [
      { path: "a.txt", status: "ok", replacements: 1 },
      { path: "src/c.ts", status: "ok", replacements: 1 },
    ],
  });
  const failed = await session.call("fs_multi_edit", {
    edits: [edit("a.txt", "five"), edit("src/c.ts", "new")],
  });
  expect(failed.data).toMatchObject({
    ok: false,
    results: [
      { path: "a.txt", status: "error", replacements: 0, message: expect.stringContaining("a.txt") },
      { path: "src/c.ts", status: "skipped", replacements: 0 },
    ],
  });
});
