import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openWorkspace } from "../../../src/capabilities/files/workspace.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

describe("opening", () => {
  test("makes a root that is reached through a link canonical", async () => {
    const { base, root } = await temporaryWorkspace({ "a.txt": "a" });
    await symlink(root, join(base, "link"));
    const workspace = await openWorkspace({ root: join(base, "link") });
    expect(workspace.root).toBe(root);
    expect(await workspace.resolve(join(base, "link", "a.txt"))).toMatchObject({
      relative: "a.txt",
      inside: true,
    });
  });

  test("refuses a root that is missing", async () => {
    const { root } = await temporaryWorkspace();
    await expect(openWorkspace({ root: join(root, "missing") })).rejects.toMatchObject({ code: "not-found" });
  });

  test("refuses a root that is a file", async () => {
    const { root } = await temporaryWorkspace({ "a.txt": "a" });
    await expect(openWorkspace({ root, extraRoots: [join(root, "a.txt")] })).rejects.toMatchObject({
      code: "not-a-directory",
    });
  });
});

describe("resolving", () => {
  test("names the root . and what is in it by a relative path", async () => {
    const { root, workspace } = await temporaryWorkspace({ "sub/a.txt": "a" });
    expect(await workspace.resolve(".")).toEqual({
      written: ".",
      links: [],
      canonical: root,
      relative: ".",
      inside: true,
      kind: "directory",
    });
    expect(await workspace.resolve(root)).toMatchObject({ relative: "." });
    expect(await workspace.resolve("./sub//a.txt")).toEqual({
      written: "./sub//a.txt",
      links: [],
      canonical: join(root, "sub/a.txt"),
      relative: "sub/a.txt",
      inside: true,
      kind: "file",
    });
  });

  test("places a missing file beneath its deepest existing parent", async () => {
    const { root, workspace, outside } = await temporaryWorkspace({ "sub/a.txt": "a" });
    await symlink("sub", join(root, "link"));
    await symlink(outside, join(root, "out"));
    expect(await workspace.resolve("link/new/b.txt")).toMatchObject({
      relative: "sub/new/b.txt",
      kind: "missing",
    });
    expect(await workspace.resolve("out/new/b.txt")).toEqual({
      written: "out/new/b.txt",
      links: [join(root, "out")],
      canonical: join(outside, "new/b.txt"),
      relative: undefined,
      inside: false,
      kind: "missing",
    });
  });

  test("places a dangling link where a write through it would create a file", async () => {
    const { root, outside, workspace } = await temporaryWorkspace();
    await symlink(join(outside, "created.txt"), join(root, "link"));
    expect(await workspace.resolve("link")).toMatchObject({
      canonical: join(outside, "created.txt"),
      inside: false,
      kind: "missing",
    });
  });

  test("can stop at a link, for what acts on the link itself", async () => {
    const { root, outside, workspace } = await temporaryWorkspace();
    await symlink(outside, join(root, "link"));
    const resolved = await workspace.resolve("link", { followLast: false });
    expect(resolved).toMatchObject({ relative: "link", inside: true, kind: "link" });
    expect(await workspace.resolve("link/", { followLast: false })).toMatchObject({ inside: false });
  });

  test("counts an extra root as inside and a readable root as outside", async () => {
    const { base, root, outside, scope } = await temporaryWorkspace();
    const extra = join(base, "extra");
    await mkdir(extra);
    await writeFile(join(extra, "e.txt"), "extra");
    await writeFile(join(outside, "o.txt"), "stored");
    const workspace = await openWorkspace({ root, extraRoots: [extra], readableRoots: [outside] });
    expect(await workspace.resolve(join(extra, "e.txt"))).toMatchObject({
      inside: true,
      relative: undefined,
    });
    expect(await workspace.resolve(join(outside, "o.txt"))).toMatchObject({
      inside: false,
      relative: undefined,
    });

    const files = workspace.files(scope);
    const window = { firstLine: 1, maxLines: 1 };
    expect(await files.readLines(join(extra, "e.txt"), window)).toMatchObject({ lines: ["extra"] });
    expect(await files.readLines(join(outside, "o.txt"), window)).toMatchObject({
      path: join(outside, "o.txt"),
      lines: ["stored"],
    });
    await expect(files.list(base)).rejects.toMatchObject({ code: "outside-workspace" });
  });
});
