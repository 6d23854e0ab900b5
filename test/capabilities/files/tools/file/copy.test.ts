import { chmod, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileSession } from "../../../../support/open-file-session.ts";
import { snapshot } from "../../snapshot.ts";

test("file_copy copies a file, and a folder with all that is in it", async () => {
  const { session, workspace } = await openFileSession({
    "a.sh": "a",
    "d/b.bin": Buffer.from([0, 255, 1]),
    "d/e/c.txt": "c",
    "d/..x": "x",
  });
  await chmod(join(workspace, "a.sh"), 0o755);
  await symlink("b.bin", join(workspace, "d/link"));
  await symlink("nowhere", join(workspace, "d/dangling"));
  const before = await snapshot(workspace);
  expect(await session.call("file_copy", { source: "a.sh", destination: "bin/a.sh" })).toMatchObject({
    status: "done",
    text: "Copied a.sh to bin/a.sh.",
    data: { source: "a.sh", destination: "bin/a.sh" },
  });
  expect(await session.call("file_copy", { source: "d", destination: "x/d2" })).toMatchObject({
    status: "done",
  });
  const after = await snapshot(workspace);
  expect(after).toMatchObject(before);
  expect(after["bin/a.sh"]).toBe(before["a.sh"]);
  for (const name of ["", "/b.bin", "/e", "/e/c.txt", "/..x", "/link", "/dangling"]) {
    expect(after[`x/d2${name}`]).toBe(before[`d${name}`]);
  }
});

test("file_copy refuses a destination that is taken, unless told to overwrite it", async () => {
  const { session, workspace } = await openFileSession({
    "a.txt": "a",
    "b.txt": "b",
    "d/x": "x",
    "e/y": "y",
  });
  const before = await snapshot(workspace);
  const copy = (source: string, destination: string, overwrite = false) =>
    session.call("file_copy", { source, destination, overwrite });
  for (const [source, destination] of [
    ["a.txt", "b.txt"],
    ["a.txt", "d"],
    ["d", "e"],
  ] as const) {
    expect(await copy(source, destination)).toMatchObject({ error: { code: "already-exists" } });
  }
  expect(await copy("a.txt", "d", true)).toMatchObject({ error: { code: "is-directory" } });
  expect(await snapshot(workspace)).toEqual(before);
  expect(await copy("a.txt", "b.txt", true)).toMatchObject({ status: "done" });
  expect(await readFile(join(workspace, "b.txt"), "utf8")).toBe("a");
  expect(await copy("d", "e", true)).toMatchObject({ status: "done" });
  expect(Object.keys(await snapshot(workspace))).toEqual(["a.txt", "b.txt", "d", "d/x", "e", "e/x"]);
});

test("file_copy refuses a folder into itself, onto itself, and what is not there", async () => {
  const { session, workspace } = await openFileSession({ "d/x": "x" });
  const before = await snapshot(workspace);
  for (const [source, destination] of [
    ["d", "d/e"],
    ["d", "d"],
    [".", "copy"],
    ["d/x", "."],
    ["gone", "y"],
  ] as const) {
    const { status } = await session.call("file_copy", { source, destination, overwrite: true });
    expect([source, destination, status]).toEqual([source, destination, "failed"]);
    expect(await snapshot(workspace)).toEqual(before);
  }
});

test("file_copy asks for both ends, so that a file that may not be read is not copied to where it may", async () => {
  const { session, workspace, base } = await openFileSession(
    { "a.txt": "a", "closed/b.txt": "b", ".env": "KEY=1" },
    { permissions: { mode: "auto", deny: ["file_copy(closed/**)"] } },
  );
  await symlink("..", join(workspace, "up"));
  await symlink("/etc/hostname", join(workspace, "host"));
  const before = await snapshot(base);
  const copy = async (source: string, destination: string) =>
    (await session.call("file_copy", { source, destination })).error?.code;
  expect(await copy("a.txt", "closed/a.txt")).toBe("permission-denied");
  expect(await copy("closed/b.txt", "b.txt")).toBe("permission-denied");
  expect(await copy("a.txt", "up/a.txt")).toBe("permission-denied");
  expect(await copy("/etc/hostname", "x")).toBe("permission-denied");
  expect(await copy("up/work/../../etc/hostname", "x")).toBe("permission-denied");
  expect(await copy("a.txt", ".git/hooks/x")).toBe("approval-needed");
  expect(await copy(".env", "plain.txt")).toBe("approval-needed");
  expect(await snapshot(base)).toEqual(before);
  // A link is copied as a link, and leads no further than before.
  expect(await copy("host", "plain.txt")).toBeUndefined();
  expect(await session.call("file_read", { path: "plain.txt" })).toMatchObject({ status: "denied" });
});

test("a rule about something in a folder binds what is done to the folder", async () => {
  const { session, workspace } = await openFileSession(
    { "d/open.txt": "o", "d/closed/a.txt": "a", "other/x": "x" },
    { permissions: { mode: "auto", deny: ["file_copy(d/closed/**)"] } },
  );
  const before = await snapshot(workspace);
  for (const source of ["d", "./d/", "other/../d"]) {
    expect(await session.call("file_copy", { source, destination: "e" })).toMatchObject({
      status: "denied",
      error: { code: "permission-denied", message: expect.stringContaining("closed") },
    });
    expect(await snapshot(workspace)).toEqual(before);
  }
});
