import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { keepWork } from "../../../../src/capabilities/agents/worktrees/keep-work.ts";
import { openGit } from "../../../../src/machine/git/open-git.ts";
import { git, makeRepository } from "./make-repository.ts";

test("files that another process removes while they are committed are not committed as deleted", async () => {
  const { top, folder } = await makeRepository();
  const worktree = await createWorktree({ workspace: top, folder });
  const { gitFolder, branch, base } = worktree;
  const registration = join(gitFolder, "worktrees", "child");
  await writeFile(join(registration, "toolwright-taken"), "somewhere");
  await rm(join(folder, "a"));
  const common = openGit({ cwd: gitFolder, untrusted: [], gitFolder });
  expect(await keepWork(common, worktree, { registration, message: "x" })).toBe("somewhere");
  expect((await git(top, "rev-parse", branch)).trim()).toBe(base);
});
