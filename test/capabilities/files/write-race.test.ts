import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDiskTree } from "../../../src/capabilities/files/tree/disk-tree.ts";
import { createRoots } from "../../../src/shared/files/workspace-roots.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";
import { whileSwapping } from "./while-swapping.ts";

const often = { rounds: 400, maxTurns: 1000 };

test("a folder that keeps turning into a link lets no change happen outside", async () => {
  const { root, outside, files } = await temporaryWorkspace({ "target/a.txt": "a", "source.txt": "s" });
  await mkdir(join(outside, "sub"));
  await writeFile(join(outside, "a.txt"), "outside");
  await symlink(outside, join(root, "other"));
  const before = await readdir(outside);

  const work = [
    () => files.writeText("target/a.txt", "written"),
    () => files.writeText("target/new.txt", "written"),
    () => files.updateText("target/a.txt", ({ text }) => `${text}!`),
    () => files.makeDirectory("target/made/deep", { recursive: true }),
    () => files.copy("source.txt", "target/copy.txt", { overwrite: true }),
    () => files.move("target/copy.txt", "target/moved.txt", { overwrite: true }),
    () => files.remove("target/sub", { recursive: true }),
    () => files.remove("target/new.txt"),
  ];
  const { answers, refusals } = await whileSwapping(root, often, async (round) =>
    work[round % work.length]!(),
  );
  expect(await readdir(outside)).toEqual(before);
  expect(await readFile(join(outside, "a.txt"), "utf8")).toBe("outside");
  expect(answers.length).toBeGreaterThan(0);
  expect(refusals).toBeGreaterThan(0);
});

test("a file that keeps turning into a link lets no write through it", async () => {
  const { root, outside, files } = await temporaryWorkspace({ target: "inside" });
  await writeFile(join(outside, "secret"), "outside");
  await symlink(join(outside, "secret"), join(root, "other"));
  const { answers } = await whileSwapping(root, often, (round) =>
    files.writeText("target", `round ${round}`),
  );
  expect(await readFile(join(outside, "secret"), "utf8")).toBe("outside");
  expect(answers.length).toBeGreaterThan(0);
});

test("a folder swapped for a link after the path was looked up is noticed, even where the link stays inside", async () => {
  const { root, outside, scope } = await temporaryWorkspace({ "d/a.txt": "a", ".git/config": "[core]" });
  await writeFile(join(outside, "a.txt"), "outside");
  const roots = createRoots({ root, extraRoots: [], readableRoots: [] });
  const tree = createDiskTree({ ...scope, roots, nameOf: (path) => path });
  const path = join(root, "d/a.txt");
  for (const target of [outside, ".git"]) {
    await rm(join(root, "d"), { recursive: true });
    await symlink(target, join(root, "d"));
    const bytes = Buffer.from("written");
    await expect(tree.putFile(path, { bytes })).rejects.toMatchObject({ name: "ToolError" });
    await expect(tree.remove(path)).rejects.toMatchObject({ name: "ToolError" });
    await expect(tree.putFolder(join(root, "d/new"))).rejects.toMatchObject({ name: "ToolError" });
    await expect(tree.putLink(join(root, "d/link"), "x")).rejects.toMatchObject({ name: "ToolError" });
    await expect(tree.rename(path, join(root, "e"))).rejects.toMatchObject({ name: "ToolError" });
  }
  expect(await readdir(outside)).toEqual(["a.txt"]);
  expect(await readdir(join(root, ".git"))).toEqual(["config"]);
});

test("a folder above that turned into a link is noticed although the last one is a folder", async () => {
  const { root, outside, scope } = await temporaryWorkspace({ "inside/deep/a.txt": "a" });
  await mkdir(join(outside, "deep"));
  await symlink(outside, join(root, "out"));
  await symlink("inside", join(root, "in"));
  const roots = createRoots({ root, extraRoots: [], readableRoots: [] });
  const tree = createDiskTree({ ...scope, roots, nameOf: (path) => path });
  const bytes = Buffer.from("written");
  await expect(tree.putFile(join(root, "out/deep/b.txt"), { bytes })).rejects.toMatchObject({
    code: "outside-workspace",
  });
  await expect(tree.putFile(join(root, "in/deep/b.txt"), { bytes })).rejects.toMatchObject({
    code: "conflict",
  });
  await expect(tree.putFolder(join(root, "in/deep/new"))).rejects.toMatchObject({ code: "conflict" });
  await expect(tree.putLink(join(root, "in/deep/link"), "x")).rejects.toMatchObject({ code: "conflict" });
  expect(await readdir(join(outside, "deep"))).toEqual([]);
  expect(await readdir(join(root, "inside/deep"))).toEqual(["a.txt"]);
});
