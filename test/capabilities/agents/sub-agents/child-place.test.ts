import { readdir } from "node:fs/promises";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { finishPlace } from "../../../../src/capabilities/agents/sub-agents/child-place.ts";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { git, makeRepository, write } from "../worktrees/make-repository.ts";

test("the error of a worktree that is kept says why, and what to do about it", async () => {
  const { top, folder } = await makeRepository();
  const worktree = await createWorktree({ workspace: top, folder });
  await git(worktree.root, "init", "--quiet", "nested");
  await write(worktree.root, { "nested/x": "1" });
  await git(`${worktree.root}/nested`, "add", "x");
  await git(`${worktree.root}/nested`, "commit", "--quiet", "--message=own");
  await expect(finishPlace(worktree, "a title")).rejects.toThrow(
    `the branch toolwright/child has all of the work except commits in the repository nested; the folder ${folder} is kept for that. Push or copy what you need from there, then remove it: git worktree remove --force '${folder}'`,
  );
  await git(top, "worktree", "remove", "--force", folder);
  expect(await finishPlace(worktree, "a title")).toMatchObject({
    isKept: true,
    files: [{ path: "nested/x", change: "added" }],
  });
  await expect(readdir(dirname(folder))).rejects.toThrow("ENOENT");
});
