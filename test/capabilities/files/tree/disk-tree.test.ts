import { mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDiskTree } from "../../../../src/capabilities/files/tree/disk-tree.ts";
import { createRoots } from "../../../../src/shared/files/workspace-roots.ts";
import { temporaryWorkspace } from "../temporary-workspace.ts";

async function temporaryTree(contents: Record<string, string>) {
  const { root, outside, scope } = await temporaryWorkspace(contents);
  const roots = createRoots({ root, extraRoots: [], readableRoots: [] });
  return { root, outside, tree: createDiskTree({ ...scope, roots, nameOf: (path) => path }) };
}

const bytes = Buffer.from("new");

test("a file that another process writes at the last moment is not overwritten", async () => {
  const { root, tree } = await temporaryTree({ "a.txt": "old" });
  const path = join(root, "a.txt");
  const { stamp } = await tree.look(path);
  const meanwhile = () => writeFile(path, "theirs");
  await expect(tree.putFile(path, { bytes }, { expected: stamp, meanwhile })).rejects.toMatchObject({
    code: "stale-file",
  });
  const born = join(root, "born.txt");
  const create = { expected: "", meanwhile: () => writeFile(born, "theirs") };
  await expect(tree.putFile(born, { bytes }, create)).rejects.toMatchObject({ code: "stale-file" });
  expect(await readFile(path, "utf8")).toBe("theirs");
  expect(await readFile(born, "utf8")).toBe("theirs");
  expect(await readdir(root)).toEqual(["a.txt", "born.txt"]);
});

test("a folder that is moved away at the last moment gets nothing", async () => {
  const { root, outside, tree } = await temporaryTree({ "in/a.txt": "old", "out/a.txt": "old" });
  const moveIn = { meanwhile: () => rename(join(root, "in"), join(root, "moved")) };
  await expect(tree.putFile(join(root, "in/a.txt"), { bytes }, moveIn)).rejects.toMatchObject({
    code: "conflict",
  });
  const moveOut = { meanwhile: () => rename(join(root, "out"), join(outside, "out")) };
  await expect(tree.putFile(join(root, "out/a.txt"), { bytes }, moveOut)).rejects.toMatchObject({
    code: "outside-workspace",
  });
  for (const folder of [join(root, "moved"), join(outside, "out")]) {
    expect(await readdir(folder)).toEqual(["a.txt"]);
    expect(await readFile(join(folder, "a.txt"), "utf8")).toBe("old");
  }
});

test("a file that changed since it was kept is not removed", async () => {
  const { root, tree } = await temporaryTree({ "a.txt": "old" });
  const path = join(root, "a.txt");
  const { stamp } = await tree.look(path);
  await writeFile(path, "theirs, and longer");
  await expect(tree.remove(path, stamp)).rejects.toMatchObject({ code: "stale-file" });
  expect(await readFile(path, "utf8")).toBe("theirs, and longer");
});

test("a failure of the work beside a write stops the write", async () => {
  const { root, tree } = await temporaryTree({ "a.txt": "old" });
  const meanwhile = async () => {
    throw new Error("could not be kept");
  };
  await expect(tree.putFile(join(root, "a.txt"), { bytes }, { meanwhile })).rejects.toThrow(
    "could not be kept",
  );
  expect(await readFile(join(root, "a.txt"), "utf8")).toBe("old");
  expect(await readdir(root)).toEqual(["a.txt"]);
});

test("a disk tree looks at its root without looking above it", async () => {
  const { root, outside, tree } = await temporaryTree({});
  await mkdir(join(root, "d"));
  expect(await tree.look(root)).toMatchObject({ kind: "directory" });
  expect(await tree.look(join(root, "missing/deep"))).toMatchObject({ kind: "missing", stamp: "" });
  await expect(tree.look(outside)).rejects.toMatchObject({ code: "outside-workspace" });
});
