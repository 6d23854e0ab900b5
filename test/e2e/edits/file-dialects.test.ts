import { mkdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { snapshot } from "../../capabilities/files/snapshot.ts";
import { openFileSession } from "../../support/open-file-session.ts";

describe("flyto", () => {
  const openFlyto = (contents = {}) => openFileSession(contents, { dialect: "flyto" });

  test("offers Write, Edit and Gitignore with its parameters, none of them read-only", async () => {
    const { session } = await openFlyto();
    const byName = new Map(session.tools().map((tool) => [tool.name, tool]));
    const write = byName.get("Write");
    expect(write?.inputSchema).toMatchObject({ required: ["file_path", "content"] });
    expect(byName.get("Edit")?.inputSchema).toMatchObject({
      required: ["file_path", "old_string", "new_string"],
      properties: { replace_all: { type: "boolean", default: false } },
    });
    expect(byName.get("Gitignore")?.inputSchema).toMatchObject({
      properties: { action: { enum: ["add", "check"] }, dir: {}, patterns: { type: "array" }, path: {} },
    });
    for (const name of ["Write", "Edit", "Gitignore"]) {
      expect(byName.get(name)?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    }
  });

  test("writes and edits by absolute path, under the aliases as well", async () => {
    const { session, workspace } = await openFlyto();
    const file_path = join(workspace, "sub/a.txt");
    const written = await session.call("Write", { file_path, content: "one\ntwo\ntwo\n" });
    expect(written).toMatchObject({
      status: "done",
      receipt: { tool: "file_write", calledAs: "Write", effects: { writes: ["sub/a.txt", "sub"] } },
    });
    const twice = await session.call("Edit", { file_path, old_string: "two", new_string: "2" });
    expect(twice).toMatchObject({ status: "failed", error: { code: "ambiguous-match" } });
    expect(twice.text).toContain("at lines 2, 3");
    const all = { file_path, old_string: "two", new_string: "$&", replace_all: true };
    expect(await session.call("FileEdit", all)).toMatchObject({ status: "done", data: { replacements: 2 } });
    expect(await readFile(file_path, "utf8")).toBe("one\n$&\n$&\n");
    const again = await session.call("FileWrite", { file_path, content: "new" });
    expect(again).toMatchObject({ status: "done", data: { wasUnread: false } });
    await session.undo(again.callId);
    expect(await readFile(file_path, "utf8")).toBe("one\n$&\n$&\n");
  });

  test("refuses a relative path and the parameters of other systems, in its own words", async () => {
    const { session } = await openFlyto({ "a.txt": "a" });
    const relative = await session.call("Write", { file_path: "a.txt", content: "x" });
    expect(relative).toMatchObject({ status: "failed", error: { code: "invalid-input" } });
    expect(relative.text).toContain("file_path");
    expect(await session.call("Edit", { path: "/a.txt", old_string: "a", new_string: "b" })).toMatchObject({
      error: { code: "invalid-input" },
    });
    expect(await session.call("Gitignore", { action: "check", dir: ".", path: "a" })).toMatchObject({
      error: { code: "invalid-input" },
    });
  });

  test("adds to a folder's .gitignore once, and checks paths below it or absolute ones", async () => {
    const { session, workspace } = await openFlyto({ ".gitignore": "*.tmp\n" });
    const dir = join(workspace, "sub");
    await mkdir(dir);
    const add = { action: "add", dir, patterns: ["*.log"] };
    expect(await session.call("Gitignore", add)).toMatchObject({ data: { added: ["*.log"] } });
    expect(await session.call("Gitignore", add)).toMatchObject({ data: { added: [] } });
    expect(await readFile(join(dir, ".gitignore"), "utf8")).toBe("*.log\n");
    for (const [path, ignored] of [
      ["x/a.log", true],
      ["a.tmp", true],
      ["a.txt", false],
      [`${dir}/a.log`, true],
      [`${dir}/a.txt`, false],
    ] as const) {
      expect(await session.call("Gitignore", { action: "check", dir, path })).toMatchObject({
        status: "done",
        data: { path, ignored },
      });
    }
    expect(await session.call("Gitignore", { action: "check", dir, path: "/etc/a.log" })).toMatchObject({
      error: { code: "invalid-input" },
    });
  });

  test("previews by its own names", async () => {
    const { session, workspace } = await openFlyto({ "a.txt": "one\n" });
    const file_path = join(workspace, "a.txt");
    const preview = await session.dryRun("Edit", { file_path, old_string: "one", new_string: "two" });
    expect(preview.text).toContain("--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-one\n+two\n");
    expect(await readFile(file_path, "utf8")).toBe("one\n");
  });
});

describe("internal", () => {
  const openInternal = (contents = {}) => openFileSession(contents, { dialect: "internal" });

  test("offers its file tools with the parameters and defaults it states", async () => {
    const { session } = await openInternal();
    const byName = new Map(session.tools().map((tool) => [tool.name, tool.inputSchema]));
    expect(byName.get("internal_file_write")).toMatchObject({ required: ["path", "content"] });
    expect(byName.get("internal_file_delete")).toMatchObject({
      required: ["path"],
      properties: { recursive: { default: false } },
    });
    expect(byName.get("internal_file_mkdir")).toMatchObject({
      required: ["path"],
      properties: { recursive: { default: true } },
    });
    for (const name of ["internal_file_move", "internal_file_copy"]) {
      expect(byName.get(name)).toMatchObject({ required: ["source", "destination"] });
    }
    for (const name of ["internal_file_edit", "internal_file_multi_edit", "internal_file_patch"]) {
      expect(byName.has(name)).toBe(true);
    }
  });

  test("does a day's work: relative paths all lead from the workspace", async () => {
    const { session, workspace } = await openInternal();
    const call = async (name: string, input: object) =>
      (await session.call(`internal_file_${name}`, input)).status;
    expect(await call("mkdir", { path: "a/b" })).toBe("done");
    expect(await call("mkdir", { path: "a/b" })).toBe("done");
    expect(await call("write", { path: "a/b/..foo", content: "one" })).toBe("done");
    expect(await call("write", { path: "a/b/..foo", content: "two" })).toBe("done");
    expect(await call("copy", { source: "a", destination: "copy" })).toBe("done");
    expect(await call("move", { source: "copy/b", destination: "copy/c" })).toBe("done");
    expect(await call("mkdir", { path: "empty" })).toBe("done");
    expect(await call("delete", { path: "empty" })).toBe("done");
    expect(Object.keys(await snapshot(workspace))).toEqual([
      "a",
      "a/b",
      "a/b/..foo",
      "copy",
      "copy/c",
      "copy/c/..foo",
    ]);
    expect(await readFile(join(workspace, "copy/c/..foo"), "utf8")).toBe("two");
    expect(await call("delete", { path: "a", recursive: true })).toBe("done");
  });

  test("says in its own words what it refuses, and changes nothing", async () => {
    const { session, workspace, base } = await openInternal({ "a.txt": "a", "b.txt": "b", "d/c.txt": "c" });
    await symlink("..", join(workspace, "up"));
    const before = await snapshot(base);
    const refused = async (name: string, input: object) => {
      const { text, error } = await session.call(`internal_file_${name}`, input);
      expect(text).toMatch(/^操作失败: /);
      return error?.code;
    };
    expect(await refused("delete", { path: "d" })).toBe("is-directory");
    expect(await refused("delete", { path: ".", recursive: true })).toBe("invalid-input");
    expect(await refused("move", { source: "a.txt", destination: "b.txt" })).toBe("already-exists");
    expect(await refused("copy", { source: "a.txt", destination: "d" })).toBe("already-exists");
    expect(await refused("mkdir", { path: "d", recursive: false })).toBe("already-exists");
    expect(await refused("mkdir", { path: "x/y", recursive: false })).toBe("not-found");
    expect(await refused("write", { path: "up/x.txt", content: "x" })).toBe("permission-denied");
    expect(await refused("write", { path: "../x.txt", content: "x" })).toBe("permission-denied");
    expect(await refused("edit", { path: "a.txt", old_string: "", new_string: "x" })).toBe("invalid-input");
    expect(await refused("write", { path: "a.txt" })).toBe("invalid-input");
    expect(await snapshot(base)).toEqual(before);
    const gone = await session.undo("call_nowhere");
    expect(gone.text).toMatch(/^操作失败: /);
  });

  test("undoes by the id of a call made under its names", async () => {
    const { session, workspace } = await openInternal({ "d/a.txt": "a" });
    const before = await snapshot(workspace);
    const { callId } = await session.call("internal_file_delete", { path: "d", recursive: true });
    expect(await session.undo(callId)).toMatchObject({ status: "done" });
    expect(await snapshot(workspace)).toEqual(before);
  });
});
