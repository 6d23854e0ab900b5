import { chmod, mkdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openFileSession } from "../../../../support/open-file-session.ts";

const read = (workspace: string, path: string) => readFile(join(workspace, path), "utf8");

test("file_write creates a file with its folders, and overwrites it", async () => {
  const { session, workspace } = await openFileSession();
  const created = await session.call("file_write", { path: "a/b/c.txt", content: "one\n" });
  expect(created).toMatchObject({
    status: "done",
    text: "Created a/b/c.txt (4 bytes).",
    data: { path: "a/b/c.txt", created: true, sizeBytes: 4, wasUnread: false },
    receipt: { effects: { writes: ["a/b/c.txt", "a", "a/b"] } },
  });
  // Its own file is no file that somebody else has changed.
  for (const content of ["two\n", "three\n"]) {
    const again = await session.call("file_write", { path: "a/b/c.txt", content });
    expect(again).toMatchObject({ status: "done", data: { created: false, wasUnread: false } });
    expect(again.text).toContain(`+${content}`);
    expect(await read(workspace, "a/b/c.txt")).toBe(content);
  }
});

test("file_write keeps a file's mode, byte order mark and line ends, and what a link leads to", async () => {
  const { session, workspace } = await openFileSession({ "run.sh": "\ufeffone\r\ntwo\r\n" });
  await chmod(join(workspace, "run.sh"), 0o750);
  await symlink("run.sh", join(workspace, "link"));
  await session.call("file_read", { path: "link" });
  const written = await session.call("file_write", { path: "link", content: "three\nfour\n" });
  expect(written).toMatchObject({ status: "done", data: { path: "run.sh", wasUnread: false } });
  expect(await read(workspace, "run.sh")).toBe("\ufeffthree\r\nfour\r\n");
  expect((await stat(join(workspace, "run.sh"))).mode & 0o777).toBe(0o750);
  expect(await read(workspace, "link")).toContain("three");
});

test("file_write says that it overwrote an unread file, and can take it back", async () => {
  const { session, workspace } = await openFileSession({ "a.txt": "theirs\n" });
  const written = await session.call("file_write", { path: "a.txt", content: "mine\n" });
  expect(written).toMatchObject({ status: "done", data: { wasUnread: true } });
  expect(written.text).toContain("had not been read in this session; its old content is kept for undo");
  await session.undo(written.callId);
  expect(await read(workspace, "a.txt")).toBe("theirs\n");
});

test("file_write refuses to overwrite an unread file where that is asked for, and makes new ones", async () => {
  const { session, workspace } = await openFileSession(
    { "a.txt": "theirs\n" },
    { requireReadBeforeWrite: true },
  );
  expect(await session.call("file_write", { path: "a.txt", content: "mine\n" })).toMatchObject({
    status: "failed",
    error: { code: "stale-file", message: expect.stringContaining("has not read it") },
  });
  expect(await read(workspace, "a.txt")).toBe("theirs\n");
  await session.call("file_read", { path: "a.txt" });
  expect(await session.call("file_write", { path: "a.txt", content: "mine\n" })).toMatchObject({
    status: "done",
  });
  expect(await session.call("file_write", { path: "new.txt", content: "new\n" })).toMatchObject({
    status: "done",
  });
});

test("file_write refuses a file that changed since it was read, and shows what changed", async () => {
  const { session, workspace } = await openFileSession({ "a.txt": "one\ntwo\n" });
  await session.call("file_read", { path: "a.txt" });
  await writeFile(join(workspace, "a.txt"), "one\nTWO\n");
  const refused = await session.call("file_write", { path: "a.txt", content: "mine\n" });
  expect(refused).toMatchObject({ status: "failed", error: { code: "stale-file" } });
  expect(refused.text).toContain("-two\n+TWO\n");
  expect(refused.text).toContain("Read it again");
  expect(await read(workspace, "a.txt")).toBe("one\nTWO\n");
  await session.call("file_read", { path: "a.txt" });
  expect(await session.call("file_write", { path: "a.txt", content: "mine\n" })).toMatchObject({
    status: "done",
  });
});

test("file_write does not show what it overwrites where that may not be read", async () => {
  const { session, workspace } = await openFileSession(
    { ".env": "KEY=secret\n", "closed/a.txt": "secret\n" },
    { permissions: { ask: ["file_write(closed/**)"] }, onApproval: () => "allow" },
  );
  const env = await session.call("file_write", { path: ".env", content: "KEY=new\n" });
  expect(env).toMatchObject({ status: "done" });
  expect(JSON.stringify(env)).not.toContain("secret");
  expect(await read(workspace, ".env")).toBe("KEY=new\n");
  const closed = await session.call("file_write", { path: "closed/a.txt", content: "new\n" });
  expect(closed).toMatchObject({ status: "done" });
  expect(JSON.stringify(closed)).not.toContain("secret");
});

test("file_write takes dollars, NULs of text and any other character as they are", async () => {
  const { session, workspace } = await openFileSession();
  for (const content of ["$& $' $` $1 $$", "tab\tand\u2028line", "", "👩‍👩‍👧", "\\n"]) {
    expect(await session.call("file_write", { path: "a.txt", content })).toMatchObject({ status: "done" });
    expect(await read(workspace, "a.txt")).toBe(content);
  }
});

test("a name may begin with two dots", async () => {
  const { session, workspace } = await openFileSession();
  for (const path of ["..foo", "..foo.d/..bar", "...", "a/.../b"]) {
    expect(await session.call("file_write", { path, content: "x" })).toMatchObject({ status: "done" });
    expect(await read(workspace, path)).toBe("x");
  }
});

test("file_write refuses a folder, a path that ends as a folder does, and one through a file", async () => {
  const { session } = await openFileSession({ "d/a.txt": "a" });
  const write = (path: string) => session.call("file_write", { path, content: "x" });
  expect(await write("d")).toMatchObject({ error: { code: "is-directory" } });
  expect(await write("new/")).toMatchObject({ error: { code: "is-directory" } });
  expect(await write("d/a.txt/b")).toMatchObject({ error: { code: "not-a-directory" } });
  expect(await write("")).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
  expect(await session.call("file_write" as string, { path: "a.txt" })).toMatchObject({
    error: { code: "invalid-input" },
  });
});

describe("the boundary", () => {
  test("is not left by dots, absolute paths or links, not even to make a file", async () => {
    const { session, workspace, base } = await openFileSession({ "in/a.txt": "a" });
    await mkdir(join(base, "outside"));
    await writeFile(join(base, "outside/a.txt"), "theirs");
    await symlink("../outside", join(workspace, "out"));
    await symlink("../outside/a.txt", join(workspace, "file"));
    await symlink("../outside/new.txt", join(workspace, "dangling"));
    const paths = [
      "../outside/a.txt",
      `${base}/outside/a.txt`,
      "out/a.txt",
      "out/new.txt",
      "file",
      "dangling",
    ];
    for (const path of paths) {
      expect(await session.call("file_write", { path, content: "mine" })).toMatchObject({
        status: "denied",
        error: { code: "permission-denied" },
      });
    }
    expect(await readFile(join(base, "outside/a.txt"), "utf8")).toBe("theirs");
    await expect(stat(join(base, "outside/new.txt"))).rejects.toThrow("ENOENT");
    expect(await session.call("file_write", { path: `${workspace}/in/a.txt`, content: "b" })).toMatchObject({
      status: "done",
    });
  });

  test("the modes, rules and protected names decide path by path", async () => {
    const write = async (path: string, permissions: object) => {
      const { session } = await openFileSession({}, { permissions });
      const { status, error } = await session.call("file_write", { path, content: "x" });
      return error?.code ?? status;
    };
    expect(await write("a.txt", { mode: "readonly" })).toBe("permission-denied");
    expect(await write("a.txt", { mode: "ask" })).toBe("approval-needed");
    expect(await write("a.txt", { mode: "edit" })).toBe("done");
    expect(await write("a.txt", { mode: "ask", allow: ["file_write(*.txt)"] })).toBe("done");
    expect(await write("closed/a", { mode: "auto", deny: ["file_write(closed/**)"] })).toBe(
      "permission-denied",
    );
    expect(await write("open/a", { mode: "auto", deny: ["file_write(closed/**)"] })).toBe("done");
    for (const path of [
      ".git/config",
      "sub/.GIT/hooks/x",
      ".vscode/tasks.json",
      ".bashrc",
      ".toolwright/a",
    ]) {
      expect(await write(path, { mode: "auto" })).toBe("approval-needed");
    }
    expect(await write(".git/config", { mode: "edit", allow: ["Write"] })).toBe("approval-needed");
    expect(await write(".git/config", { mode: "edit", allow: ["Write(.git/config)"] })).toBe("done");
  });
});
