import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isInWorktree } from "../../../../src/runtime/services/search/search-root.ts";
import { git, makeFolder, makeRepository, write } from "../../worktrees/make-repository.ts";

test("a worktree is known at its top and below, and told from a repository, a submodule and neither", async () => {
  const { top, around } = await makeRepository({ "sub/a": "1" });
  const other = await makeRepository();
  await git(top, "worktree", "add", "--quiet", join(around, "tree"));
  await git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.top, "module");
  await git(join(around, "tree"), "init", "--quiet", "inner");
  await mkdir(join(top, "module", "deep"));
  for (const [folder, expected] of [
    ["tree", true],
    ["tree/sub", true],
    ["tree/inner", false],
    ["repository", false],
    ["repository/sub", false],
    ["repository/module", false],
    ["repository/module/deep", false],
    [".", false],
  ] as const) {
    expect([folder, await isInWorktree(join(around, folder))]).toEqual([folder, expected]);
  }
});

test("a .git that says something else is no worktree", async () => {
  const folder = await makeFolder();
  for (const text of ["", "gitdir: ", "gitdir: nowhere\n", "gitdir: a\ngitdir: b\n", "\0".repeat(100_000)]) {
    await write(folder, { ".git": text });
    expect(await isInWorktree(folder)).toBe(false);
  }
});
