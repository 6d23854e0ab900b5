import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findRepositoryKind } from "../../../src/capabilities/search/search-root.ts";
import { git, makeFolder, makeRepository, write } from "../agents/worktrees/make-repository.ts";

test("a worktree is known at its top and below, and told from a repository, a submodule and neither", async () => {
  const { top, around } = await makeRepository({ "sub/a": "1" });
  const other = await makeRepository();
  await git(top, "worktree", "add", "--quiet", join(around, "tree"));
  await git(top, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.top, "module");
  await git(join(around, "tree"), "init", "--quiet", "inner");
  await mkdir(join(top, "module", "deep"));
  for (const [folder, expected] of [
    ["tree", "linked"],
    ["tree/sub", "linked"],
    ["tree/inner", "own"],
    ["repository", "own"],
    ["repository/sub", "own"],
    ["repository/module", "own"],
    ["repository/module/deep", "own"],
    [".", "none"],
  ] as const) {
    expect([folder, await findRepositoryKind(join(around, folder))]).toEqual([folder, expected]);
  }
});

test("a .git that says something else is no worktree", async () => {
  const folder = await makeFolder();
  for (const text of ["", "gitdir: ", "gitdir: nowhere\n", "gitdir: a\ngitdir: b\n", "\0".repeat(100_000)]) {
    await write(folder, { ".git": text });
    expect(await findRepositoryKind(folder)).toBe("own");
  }
});
