import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { defineTool } from "../../../../../src/index.ts";
import { openFileSession } from "../../../../support/open-file-session.ts";
import { asOrdinaryUser } from "../../as-ordinary-user.ts";
import { snapshot } from "../../snapshot.ts";

const change = (path: string, old_string: string, new_string: string, more: object = {}) => ({
  path,
  old_string,
  new_string,
  ...more,
});

test("file_multi_edit makes many edits in several files, each on what the ones before it left", async () => {
  const { session, workspace } = await openFileSession({ "a.txt": "one two\n", "b.txt": "x x\n" });
  const result = await session.call("file_multi_edit", {
    edits: [
      change("a.txt", "one", "1"),
      change("b.txt", "x", "$&", { replace_all: true }),
      change("a.txt", "1 two", "done"),
    ],
  });
  expect(result).toMatchObject({
    status: "done",
    data: {
      results: [
        {
          path: join(workspace, "a.txt"),
          status: "ok",
          replacements: 2,
          matchedBy: "exact",
          wasUnread: true,
        },
        { path: join(workspace, "b.txt"), status: "ok", replacements: 2 },
      ],
    },
    receipt: { effects: { reads: ["a.txt", "b.txt"], writes: ["a.txt", "b.txt"] } },
  });
  expect(result.text).toContain("/a.txt: 2 replacements");
  expect(result.text).toContain("/b.txt: 2 replacements");
  expect(await snapshot(workspace)).toMatchObject({
    "a.txt": `file 644 ${Buffer.from("done\n").toString("base64")}`,
    "b.txt": `file 644 ${Buffer.from("$& $&\n").toString("base64")}`,
  });
});

test("one edit that cannot be made leaves every file as it was, and is named", async () => {
  const { session, workspace } = await openFileSession({
    "a.txt": "one\n",
    "b.txt": "x\nx\n",
    "c.txt": "c\n",
  });
  await session.call("file_read", { path: "c.txt" });
  await writeFile(join(workspace, "c.txt"), "theirs\n");
  const before = await snapshot(workspace);
  const bad = [
    { edit: change("b.txt", "y", "z"), code: "no-match" },
    { edit: change("b.txt", "x", "z"), code: "ambiguous-match" },
    { edit: change("b.txt", "", "z"), code: "invalid-input" },
    { edit: change("b.txt", "x\nx", "x\nx"), code: "invalid-input" },
    { edit: change("c.txt", "theirs", "mine"), code: "stale-file" },
    { edit: change("gone.txt", "x", "z"), code: "not-found" },
    { edit: change("../outside.txt", "x", "z"), code: "permission-denied" },
    { edit: change(".git/config", "x", "z"), code: "approval-needed" },
  ];
  for (const { edit, code } of bad) {
    const result = await session.call("file_multi_edit", { edits: [change("a.txt", "one", "1"), edit] });
    expect(result.error?.code).toBe(code);
    expect(result.receipt).not.toHaveProperty("undo");
    expect(await snapshot(workspace)).toEqual(before);
  }
  const numbered = await session.call("file_multi_edit", {
    edits: [change("a.txt", "one", "1"), change("a.txt", "gone", "2")],
  });
  expect(numbered.text).toContain("edit 2 of 2");
  expect(await snapshot(workspace)).toEqual(before);
});

test("a write that fails half-way takes back the ones before it", async () => {
  await asOrdinaryUser(async () => {
    const { session, workspace } = await openFileSession({
      "a.txt": "one\n",
      "locked/b.txt": "two\n",
      "z.txt": "three\n",
    });
    await chmod(join(workspace, "locked"), 0o555);
    const before = await snapshot(workspace);
    const result = await session.call("file_multi_edit", {
      edits: [change("a.txt", "one", "1"), change("locked/b.txt", "two", "2"), change("z.txt", "three", "3")],
    });
    await chmod(join(workspace, "locked"), 0o755);
    expect(result).toMatchObject({ status: "failed", error: { code: "access-denied" } });
    expect(await snapshot(workspace)).toEqual({ ...before, locked: "directory 755" });
    // What was taken back is known to the session, so the next edit is not refused.
    const again = await session.call("file_multi_edit", { edits: [change("a.txt", "one", "1")] });
    expect(again).toMatchObject({ status: "done" });
  });
});

test("a text that its file's encoding cannot hold takes back the files before it", async () => {
  const tool = defineTool({
    name: "edit_latin",
    description: "Edits two files, one of them in a legacy encoding.",
    params: {},
    traits: { changesFilesOnly: true },
    permission: () => [
      { action: "write", target: "a.txt" },
      { action: "write", target: "latin.txt" },
    ],
    run: (_input, { files }) =>
      files.editTexts([
        { path: "a.txt", edits: [{ oldText: "one", newText: "1" }] },
        { path: "latin.txt", edits: [{ oldText: "a", newText: "日" }], encoding: "windows-1252" },
      ]),
  });
  const { session, workspace } = await openFileSession(
    { "a.txt": "one", "latin.txt": Buffer.from([0x61, 0xe9]) },
    { tools: [tool] },
  );
  const before = await snapshot(workspace);
  expect(await session.call("edit_latin")).toMatchObject({ status: "failed" });
  expect(await snapshot(workspace)).toEqual(before);
});

test("each path is decided by itself", async () => {
  const { session, workspace } = await openFileSession(
    { "a.txt": "a", "closed/b.txt": "b" },
    { permissions: { mode: "auto", deny: ["file_multi_edit(closed/**)"] } },
  );
  const before = await snapshot(workspace);
  const edits = [change("a.txt", "a", "A"), change("closed/b.txt", "b", "B")];
  expect(await session.call("file_multi_edit", { edits })).toMatchObject({ status: "denied" });
  expect(await snapshot(workspace)).toEqual(before);
  expect(await session.call("file_multi_edit", { edits: edits.slice(0, 1) })).toMatchObject({
    status: "done",
  });
});

test("file_multi_edit refuses no edits, too many, and unknown fields", async () => {
  const { session } = await openFileSession({ "a.txt": "a" });
  const many = Array.from({ length: 501 }, () => change("a.txt", "a", "b"));
  for (const edits of [[], many, [{ path: "a.txt" }], [change("a.txt", "a", "b", { regex: true })]]) {
    expect(await session.call("file_multi_edit" as string, { edits })).toMatchObject({
      status: "failed",
      error: { code: "invalid-input" },
    });
  }
});
