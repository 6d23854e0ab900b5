import { mkdir, readdir, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { removeHalfMade } from "../../../../src/capabilities/agents/worktrees/remove-half-made.ts";
import { git, makeRepository } from "./make-repository.ts";

test("worktrees that a killed process left half made are removed; those being made and those complete stay", async () => {
  const { top, folder } = await makeRepository();
  const parent = dirname(folder);
  await createWorktree({ workspace: top, folder });
  for (const name of ["old", "new"]) {
    await git(top, "worktree", "add", "--quiet", "--detach", "--no-checkout", join(parent, name));
    await mkdir(join(parent, `${name}.making`));
  }
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(parent, "old.making"), longAgo, longAgo);
  await removeHalfMade({ workspace: top, folder: parent });
  expect((await readdir(parent)).sort()).toEqual(["child", "new", "new.making"]);
  expect((await git(top, "worktree", "list")).trim().split("\n")).toHaveLength(3);
});

test("a repository without half-made worktrees is left alone", async () => {
  const { top, folder } = await makeRepository();
  await removeHalfMade({ workspace: top, folder: dirname(folder) });
});
