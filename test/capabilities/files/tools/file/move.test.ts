import { chmod, link, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileSession } from "../../../../support/open-file-session.ts";
import { snapshot } from "../../snapshot.ts";

test("file_move moves a file, a folder and a link, with modes, to folders that are made", async () => {
  const { session, workspace } = await openFileSession({ "a.sh": "a", "d/b.txt": "b", "d/e/c.txt": "c" });
  await chmod(join(workspace, "a.sh"), 0o755);
  await symlink("b.txt", join(workspace, "d/link"));
  const before = await snapshot(workspace);
  expect(await session.call("file_move", { source: "a.sh", destination: "bin/x/a.sh" })).toMatchObject({
    status: "done",
    text: "Moved a.sh to bin/x/a.sh.",
    data: { source: "a.sh", destination: "bin/x/a.sh" },
  });
  expect(await session.call("file_move", { source: "d", destination: "..d" })).toMatchObject({
    status: "done",
  });
  const after = await snapshot(workspace);
  expect(after["bin/x/a.sh"]).toBe(before["a.sh"]);
  for (const name of ["", "/b.txt", "/e", "/e/c.txt", "/link"]) {
    expect(after[`..d${name}`]).toBe(before[`d${name}`]);
  }
  expect(Object.keys(after)).toHaveLength(8);
});

test("file_move of one name of a file onto another leaves that other, and undo brings both back", async () => {
  const { session, workspace } = await openFileSession({ "a.txt": "a", "d/x": "x" });
  for (const [name, other] of [
    ["a.txt", "b.txt"],
    ["d/x", "x"],
  ] as const) {
    await link(join(workspace, name), join(workspace, other));
    const before = await snapshot(workspace);
    const moved = await session.call("file_move", { source: name, destination: other, overwrite: true });
    expect(moved).toMatchObject({ status: "done" });
    const { [name]: gone, ...left } = before;
    expect(gone).toBeDefined();
    expect(await snapshot(workspace)).toEqual(left);
    expect(await session.undo(moved.callId)).toMatchObject({ status: "done" });
    expect(await snapshot(workspace)).toEqual(before);
  }
});

test("file_move refuses a destination that is taken, unless told to overwrite it", async () => {
  const { session, workspace } = await openFileSession({
    "a.txt": "a",
    "b.txt": "b",
    "d/x": "x",
    "e/y": "y",
  });
  const before = await snapshot(workspace);
  const move = (source: string, destination: string, overwrite?: boolean) =>
    session.call("file_move", { source, destination, ...(overwrite !== undefined && { overwrite }) });
  for (const [source, destination] of [
    ["a.txt", "b.txt"],
    ["a.txt", "d"],
    ["d", "e"],
    ["d", "a.txt"],
  ] as const) {
    expect(await move(source, destination)).toMatchObject({ error: { code: "already-exists" } });
  }
  expect(await move("a.txt", "d", true)).toMatchObject({ error: { code: "is-directory" } });
  expect(await snapshot(workspace)).toEqual(before);
  expect(await move("a.txt", "b.txt", true)).toMatchObject({ status: "done" });
  expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("a");
  expect(await move("d", "e", true)).toMatchObject({ status: "done" });
  expect(Object.keys(await snapshot(workspace))).toEqual(["b.txt", "e", "e/x"]);
});

test("file_move refuses itself, what lies in itself, and the workspace", async () => {
  const { session, workspace } = await openFileSession({ "d/x": "x" });
  const before = await snapshot(workspace);
  for (const [source, destination] of [
    ["d", "d"],
    ["d", "./d/"],
    ["d", "d/e"],
    ["d/x", "d"],
    [".", "d/e"],
    ["d", "."],
    ["gone", "x"],
  ] as const) {
    const { status } = await session.call("file_move", { source, destination, overwrite: true });
    expect([source, destination, status]).toEqual([source, destination, "failed"]);
    expect(await snapshot(workspace)).toEqual(before);
  }
});

test("a file that was read counts as read at its new path, and not at the old one", async () => {
  const { session, workspace } = await openFileSession(
    { "a.txt": "one\n" },
    { requireReadBeforeWrite: true },
  );
  await session.call("file_read", { path: "a.txt" });
  await session.call("file_move", { source: "a.txt", destination: "b.txt" });
  expect(
    await session.call("file_edit", { path: "b.txt", old_string: "one", new_string: "1" }),
  ).toMatchObject({
    status: "done",
  });
  await writeFile(join(workspace, "a.txt"), "theirs");
  expect(await session.call("file_write", { path: "a.txt", content: "mine" })).toMatchObject({
    error: { code: "stale-file" },
  });
});

test("file_move asks for both ends, and a sensitive old name counts", async () => {
  const { session, workspace, base } = await openFileSession(
    { "a.txt": "a", "closed/b.txt": "b", ".env": "KEY=1", ".git/config": "c" },
    { permissions: { mode: "auto", deny: ["file_move(closed/**)"] } },
  );
  await symlink("..", join(workspace, "up"));
  const before = await snapshot(base);
  const move = async (source: string, destination: string) =>
    (await session.call("file_move", { source, destination })).error?.code;
  expect(await move("a.txt", "closed/a.txt")).toBe("permission-denied");
  expect(await move("closed/b.txt", "b.txt")).toBe("permission-denied");
  expect(await move("a.txt", "../a.txt")).toBe("permission-denied");
  expect(await move("a.txt", "up/a.txt")).toBe("permission-denied");
  expect(await move("../work/a.txt", "up/../b.txt")).toBe("permission-denied");
  expect(await move("a.txt", ".git/hooks/x")).toBe("approval-needed");
  expect(await move(".git/config", "x")).toBe("approval-needed");
  expect(await move(".env", "plain.txt")).toBe("approval-needed");
  expect(await snapshot(base)).toEqual(before);
});

test("a rule about something in a folder binds what is done to the folder", async () => {
  const { session, workspace } = await openFileSession(
    { "d/open.txt": "o", "d/closed/a.txt": "a", "other/x": "x" },
    { permissions: { mode: "auto", deny: ["file_move(d/closed/**)"] } },
  );
  const before = await snapshot(workspace);
  for (const source of ["d", "./d/", "other/../d"]) {
    expect(await session.call("file_move", { source, destination: "e" })).toMatchObject({
      status: "denied",
      error: { code: "permission-denied", message: expect.stringContaining("closed") },
    });
    expect(await snapshot(workspace)).toEqual(before);
  }
  // Nor does anything come to be there.
  await session.call("file_mkdir", { path: "new/closed" });
  await session.call("file_delete", { path: "d", recursive: true });
  expect(await session.call("file_move", { source: "new", destination: "d" })).toMatchObject({
    status: "denied",
  });
  await session.call("file_mkdir", { path: "closed" });
  expect(await session.call("file_move", { source: "other", destination: "d/closed" })).toMatchObject({
    status: "denied",
  });
});

test("a person may allow what the old name asks about", async () => {
  const { session, workspace } = await openFileSession({ ".env": "KEY=1" }, { onApproval: () => "allow" });
  const moved = await session.call("file_move", { source: ".env", destination: "plain.txt" });
  expect(moved).toMatchObject({
    status: "done",
    receipt: { effects: { reads: [".env"], writes: [".env", "plain.txt"] } },
  });
  expect(await readFile(join(workspace, "plain.txt"), "utf8")).toBe("KEY=1");
});
