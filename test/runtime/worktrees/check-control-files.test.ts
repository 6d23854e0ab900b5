import { execFile } from "node:child_process";
import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createWorktree } from "../../../src/runtime/worktrees/create-worktree.ts";
import { finishWorktree } from "../../../src/runtime/worktrees/finish-worktree.ts";
import { git, makeRepository, stateOf, write } from "./make-repository.ts";

const names = [".gitattributes", ".gitignore", ".gitmodules", ".GitIgnore", "d/e/.gitignore"];

async function makePipe(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await promisify(execFile)("mkfifo", [path]);
}

test("git is not run where it would wait for a pipe, and the work stays for somebody to look at", async () => {
  const { top, folder } = await makeRepository();
  const worktree = await createWorktree({ workspace: top, folder });
  await write(worktree.root, { work: "1" });
  const finish = () => finishWorktree(worktree, { message: "What was done" });
  for (const name of names) {
    const path = join(worktree.root, name);
    await makePipe(path);
    await expect(finish(), name).rejects.toThrow("is a pipe, a socket or a device");
    await rm(path);
  }
  await makePipe(join(worktree.root, "pipe"));
  await symlink("pipe", join(worktree.root, ".gitmodules"));
  await expect(finish()).rejects.toThrow("is a pipe, a socket or a device");
  await rm(join(worktree.root, ".gitmodules"));
  await rm(join(worktree.root, "pipe"));
  expect(await finish()).toMatchObject({ isBranchKept: true });
  expect(await git(top, "show", `${worktree.branch}:work`)).toBe("1");
});

test("where the parent's own files would make git wait, no worktree is made and nothing is left", async () => {
  const { top, folder } = await makeRepository();
  const before = await stateOf(top);
  await makePipe(join(top, "sub", ".gitattributes"));
  await expect(createWorktree({ workspace: top, folder })).rejects.toThrow("is a pipe, a socket or a device");
  await rm(join(top, "sub"), { recursive: true });
  expect(await stateOf(top)).toBe(before);
});
