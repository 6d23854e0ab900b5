import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileSession } from "../../../../support/open-file-session.ts";
import { snapshot } from "../../snapshot.ts";

test("file_delete deletes a file, an empty folder, and a link but not its target", async () => {
  const { session, workspace, base } = await openFileSession({ "a.txt": "a", "kept/b.txt": "b" });
  await mkdir(join(workspace, "empty"));
  await writeFile(join(base, "outside.txt"), "theirs");
  await symlink("kept", join(workspace, "link"));
  await symlink("nowhere", join(workspace, "dangling"));
  for (const path of ["a.txt", "empty", "link", "dangling"]) {
    expect(await session.call("file_delete", { path })).toMatchObject({
      status: "done",
      text: `Deleted ${path}.`,
      receipt: { effects: { writes: expect.arrayContaining([path]) } },
    });
  }
  expect(Object.keys(await snapshot(workspace))).toEqual(["kept", "kept/b.txt"]);
});

test("a folder that is not empty goes only when that is asked for", async () => {
  const { session, workspace } = await openFileSession({ "d/a.txt": "a", "d/e/b.txt": "b" });
  const before = await snapshot(workspace);
  const refused = await session.call("file_delete", { path: "d" });
  expect(refused).toMatchObject({ status: "failed", error: { code: "is-directory" } });
  expect(refused.text).toContain("recursively");
  expect(await snapshot(workspace)).toEqual(before);
  expect(await session.call("file_delete", { path: "d", recursive: true })).toMatchObject({ status: "done" });
  expect(await snapshot(workspace)).toEqual({});
});

test("file_delete does not go through links inside of what it deletes", async () => {
  const { session, workspace } = await openFileSession({ "d/a.txt": "a", "kept/b.txt": "b" });
  await symlink("../kept", join(workspace, "d/link"));
  await session.call("file_delete", { path: "d", recursive: true });
  expect(Object.keys(await snapshot(workspace))).toEqual(["kept", "kept/b.txt"]);
});

test("the workspace itself stays, whatever it is called", async () => {
  const { session, workspace, base } = await openFileSession({ "sub/a.txt": "a" });
  await symlink(".", join(workspace, "here"));
  const before = await snapshot(base);
  for (const path of [".", "./", "sub/..", workspace, `${workspace}/`, "here/.", "..", "/"]) {
    const { status } = await session.call("file_delete", { path, recursive: true });
    expect([path, status === "done"]).toEqual([path, false]);
    expect(await snapshot(base)).toEqual(before);
  }
});

test("a path that is outside, denied, protected or missing stays", async () => {
  const { session, workspace, base } = await openFileSession(
    { "closed/a.txt": "a", ".git/config": "c" },
    { permissions: { mode: "auto", deny: ["file_delete(closed/**)"] } },
  );
  await mkdir(join(base, "outside"));
  await writeFile(join(base, "outside/a.txt"), "theirs");
  await symlink("../outside", join(workspace, "out"));
  const before = await snapshot(base);
  const attempt = async (path: string) =>
    (await session.call("file_delete", { path, recursive: true })).error?.code;
  expect(await attempt("../outside")).toBe("permission-denied");
  expect(await attempt("out/a.txt")).toBe("permission-denied");
  expect(await attempt("closed/a.txt")).toBe("permission-denied");
  expect(await attempt(".git")).toBe("approval-needed");
  expect(await attempt("gone.txt")).toBe("not-found");
  expect(await snapshot(base)).toEqual(before);
});

test("a name may begin with two dots", async () => {
  const { session, workspace } = await openFileSession({ "..foo": "a" });
  expect(await session.call("file_delete", { path: "..foo" })).toMatchObject({ status: "done" });
  expect(await snapshot(workspace)).toEqual({});
});

test("a rule about something in a folder binds what is done to the folder", async () => {
  const { session, workspace } = await openFileSession(
    { "d/open.txt": "o", "d/closed/a.txt": "a", "other/x": "x" },
    { permissions: { mode: "auto", deny: ["file_delete(d/closed/**)"] } },
  );
  const before = await snapshot(workspace);
  for (const source of ["d", "./d/", "other/../d"]) {
    expect(await session.call("file_delete", { path: source, recursive: true })).toMatchObject({
      status: "denied",
      error: { code: "permission-denied", message: expect.stringContaining("closed") },
    });
    expect(await snapshot(workspace)).toEqual(before);
  }
});
