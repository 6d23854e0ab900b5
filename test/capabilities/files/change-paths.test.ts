import { execFile } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../../src/capabilities/files/workspace.ts";
import { needs } from "../../support/needs.ts";
import { onDisk, temporaryFolder } from "../../support/temporary-folder.ts";
import { snapshot } from "./snapshot.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const otherDisk = [onDisk, "/dev/shm"].find(
  (place) => existsSync(place) && statSync(place).dev !== statSync(tmpdir()).dev,
);
const testOnTwoDisks = await needs(() => (otherDisk === undefined ? "there is no second disk" : undefined));

describe("removing", () => {
  test("takes a file, a link and an empty folder", async () => {
    const { root, outside, files, changes } = await temporaryWorkspace({ "a.txt": "a" });
    await writeFile(join(outside, "kept.txt"), "kept");
    await symlink(join(outside, "kept.txt"), join(root, "link"));
    await mkdir(join(root, "empty"));
    await files.remove("a.txt");
    await files.remove("link");
    await files.remove("empty");
    expect(await readdir(root)).toEqual([]);
    expect(await readFile(join(outside, "kept.txt"), "utf8")).toBe("kept");
    expect(changes.map(({ before }) => before.kind)).toEqual(["file", "link", "directory"]);
  });

  test("removes a folder with content only recursively, and reports each part", async () => {
    const { root, outside, files, changes } = await temporaryWorkspace({
      "d/a.txt": "a",
      "d/sub/b.txt": "b",
    });
    await writeFile(join(outside, "kept.txt"), "kept");
    await symlink(outside, join(root, "d/link"));
    await expect(files.remove("d")).rejects.toMatchObject({ code: "is-directory", hint: expect.any(String) });
    expect(changes).toEqual([]);
    await files.remove("d", { recursive: true });
    expect(await readdir(root)).toEqual([]);
    expect(await readdir(outside)).toEqual(["kept.txt"]);
    const removed = changes.map(({ path, after }) => [path.slice(root.length + 1), after.kind]);
    expect(removed).toEqual([
      ["d/sub/b.txt", "missing"],
      ["d/sub", "missing"],
      ["d/link", "missing"],
      ["d/a.txt", "missing"],
      ["d", "missing"],
    ]);
  });

  test("leaves the workspace, what holds it and what cannot be brought back", async () => {
    const { base, root, files, changes } = await temporaryWorkspace({ "d/a.txt": "a", "inner/b.txt": "b" });
    await promisify(execFile)("mkfifo", [join(root, "d/pipe")]);
    const recursive = { recursive: true };
    await expect(files.remove(".", recursive)).rejects.toMatchObject({ code: "invalid-input" });
    await expect(files.remove("d/..", recursive)).rejects.toMatchObject({ code: "invalid-input" });
    await expect(files.remove(base, recursive)).rejects.toMatchObject({ code: "outside-workspace" });
    await expect(files.remove("d", recursive)).rejects.toMatchObject({ code: "not-a-file" });
    await expect(files.remove("d/pipe")).rejects.toMatchObject({ code: "not-a-file" });
    await expect(files.remove("missing")).rejects.toMatchObject({ code: "not-found" });
    expect(changes).toEqual([]);
    expect(await readFile(join(root, "d/a.txt"), "utf8")).toBe("a");
  });

  test("leaves a folder that holds another root", async () => {
    const { root, scope } = await temporaryWorkspace({ "a/inner/b.txt": "b" });
    const workspace = await openWorkspace({ root, extraRoots: [join(root, "a/inner")] });
    const files = workspace.files(scope);
    await expect(files.remove("a", { recursive: true })).rejects.toMatchObject({ code: "invalid-input" });
    await expect(files.move("a", "b")).rejects.toMatchObject({ code: "invalid-input" });
  });
});

describe("making folders", () => {
  test("makes one, or with recursive all that are missing", async () => {
    const { root, files, changes } = await temporaryWorkspace({ "f.txt": "f" });
    await expect(files.makeDirectory("a/b/c")).rejects.toMatchObject({ code: "not-found" });
    await files.makeDirectory("a/b/c", { recursive: true });
    expect((await stat(join(root, "a/b/c"))).isDirectory()).toBe(true);
    expect(changes).toHaveLength(3);
    await files.makeDirectory("a/b/c", { recursive: true });
    await files.makeDirectory("a/d/");
    expect(changes).toHaveLength(4);
    await expect(files.makeDirectory("a")).rejects.toMatchObject({ code: "already-exists" });
    await expect(files.makeDirectory("f.txt", { recursive: true })).rejects.toMatchObject({
      code: "already-exists",
    });
    await expect(files.makeDirectory("../x")).rejects.toMatchObject({ code: "outside-workspace" });
  });
});

/** A tree with a mode, a link and an empty folder in it. */
async function sampleTree() {
  const workspace = await temporaryWorkspace({ "from/a.sh": "a", "from/sub/b.txt": "b" });
  const { root } = workspace;
  await chmod(join(root, "from/a.sh"), 0o755);
  await chmod(join(root, "from/sub"), 0o500);
  await symlink("../outside", join(root, "from/link"));
  await mkdir(join(root, "from/empty"));
  const { from } = splitBy(await snapshot(root), "from");
  return { ...workspace, tree: from };
}

function splitBy(found: Record<string, string>, name: string) {
  const of = (folder: string) =>
    Object.fromEntries(
      Object.entries(found)
        .filter(([path]) => path.startsWith(`${folder}/`))
        .map(([path, what]) => [path.slice(folder.length + 1), what]),
    );
  return { from: of(name), rest: Object.keys(found) };
}

describe("copying", () => {
  test("takes a folder with all that is in it, modes and links kept", async () => {
    const { root, files, changes, tree } = await sampleTree();
    await files.copy("from", "new/to");
    const found = await snapshot(root);
    expect(splitBy(found, "new/to").from).toEqual(tree);
    expect(splitBy(found, "from").from).toEqual(tree);
    expect(changes.map(({ path }) => path.slice(root.length + 1))).toEqual([
      "new",
      "new/to",
      "new/to/a.sh",
      "new/to/empty",
      "new/to/link",
      "new/to/sub",
      "new/to/sub/b.txt",
    ]);
  });

  test("does not give away the right to run as its owner", async () => {
    const { root, files } = await temporaryWorkspace({ "a.sh": "a" });
    await chmod(join(root, "a.sh"), 0o4755);
    await files.copy("a.sh", "b.sh");
    expect((await stat(join(root, "b.sh"))).mode & 0o7777).toBe(0o755);
  });
});

describe("moving", () => {
  test("moves a folder with its content, and reports each path twice", async () => {
    const { root, files, changes, tree } = await sampleTree();
    await files.move("from", "new/to");
    const found = await snapshot(root);
    expect(splitBy(found, "new/to").from).toEqual(tree);
    expect(Object.keys(found)).not.toContain("from");
    expect(changes).toHaveLength(1 + 2 * 6);
    expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length);
  });

  test("moves a link itself", async () => {
    const { root, outside, files } = await temporaryWorkspace();
    await symlink(outside, join(root, "link"));
    await files.move("link", "moved");
    expect(await readlink(join(root, "moved"))).toBe(outside);
    expect(await readdir(root)).toEqual(["moved"]);
  });

  testOnTwoDisks("goes to another disk, without leaving anything behind", async () => {
    const { root, outside, files: plain, scope } = await sampleTree();
    const elsewhere = temporaryFolder("toolwright-", otherDisk);
    const before = splitBy(await snapshot(root), "from").from;
    const files = (await openWorkspace({ root, extraRoots: [elsewhere] })).files(scope);
    await files.move("from", join(elsewhere, "to"));
    expect(splitBy(await snapshot(elsewhere), "to").from).toEqual(before);
    expect(await readdir(root)).toEqual([]);
    expect(await readdir(outside)).toEqual([]);
    await expect(plain.move(join(elsewhere, "to"), "back")).rejects.toMatchObject({
      code: "outside-workspace",
    });
  });
});

describe.each(["move", "copy"] as const)("a destination of %s", (verb) => {
  test("that exists is refused unless it may be overwritten", async () => {
    const { root, files, changes } = await temporaryWorkspace({
      "a.txt": "a",
      "b.txt": "b",
      "d/x.txt": "x",
      "d/same/y.txt": "y",
      "e/same/y.txt": "old y",
      "e/z.txt": "z",
    });
    await symlink("missing", join(root, "link"));
    for (const to of ["b.txt", "d", "link"]) {
      await expect(files[verb]("a.txt", to)).rejects.toMatchObject({ code: "already-exists" });
    }
    await expect(files[verb]("a.txt", "d", { overwrite: true })).rejects.toMatchObject({
      code: "is-directory",
    });
    expect(changes).toEqual([]);
    await files[verb]("d", "e", { overwrite: true });
    await files[verb]("a.txt", "b.txt", { overwrite: true });
    await files[verb]("b.txt", "link", { overwrite: true });
    expect(await readFile(join(root, "link"), "utf8")).toBe("a");
    expect((await lstat(join(root, "link"))).isFile()).toBe(true);
    expect(Object.keys(await snapshot(join(root, "e")))).toEqual(["same", "same/y.txt", "x.txt"]);
    expect((await readdir(root)).filter((name) => name.startsWith("."))).toEqual([]);
    const told = changes.filter(({ path }) => path.startsWith(join(root, "e"))).map(({ path }) => path);
    expect(told.toSorted()).toEqual(["same/y.txt", "x.txt", "z.txt"].map((name) => join(root, "e", name)));
  });

  test("is refused inside the source, above it, as the source itself, as the workspace, and outside", async () => {
    const { root, files } = await temporaryWorkspace({ "d/sub/a.txt": "a" });
    const before = await snapshot(root);
    const overwrite = { overwrite: true };
    for (const [from, to] of [
      ["d", "d/sub/new"],
      ["d", "d"],
      ["d/sub", "d"],
      ["d", "."],
    ] as const) {
      await expect(files[verb](from, to, overwrite)).rejects.toMatchObject({ code: "invalid-input" });
    }
    await expect(files[verb]("d", "../x", overwrite)).rejects.toMatchObject({ code: "outside-workspace" });
    await expect(files[verb]("missing", "x")).rejects.toMatchObject({ code: "not-found" });
    expect(await snapshot(root)).toEqual(before);
  });

  test("stays as it was when something in the source cannot be brought along", async () => {
    const { root, files, changes } = await temporaryWorkspace({ "d/a.txt": "a", "e/old.txt": "old" });
    await promisify(execFile)("mkfifo", [join(root, "d/pipe")]);
    const before = await snapshot(root);
    await expect(files[verb]("d", "e", { overwrite: true })).rejects.toMatchObject({ code: "not-a-file" });
    expect(await snapshot(root)).toEqual(before);
    expect(changes).toEqual([]);
  });
});
