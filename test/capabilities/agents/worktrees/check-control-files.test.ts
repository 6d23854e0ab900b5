import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdir, rename, rm, symlink, truncate } from "node:fs/promises";
import { createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { finishWorktree } from "../../../../src/capabilities/agents/worktrees/finish-worktree.ts";
import { git, makeRepository, stateOf, write } from "./make-repository.ts";

const names = [".gitattributes", ".gitignore", ".gitmodules", ".GitIgnore", "d/e/.gitignore"];

async function makePipe(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await promisify(execFile)("mkfifo", [path]);
}

test("git is not run where a control file in the worktree is a pipe, and the work stays", async () => {
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

test("git is not run where its own files of the worktree are pipes, or a control file is too large to be read", async () => {
  const { top, folder } = await makeRepository();
  const worktree = await createWorktree({ workspace: top, folder });
  await write(worktree.root, { work: "1" });
  const finish = () => finishWorktree(worktree, { message: "What was done" });
  const registration = join(top, ".git", "worktrees", basename(folder));
  for (const path of [
    join(registration, "HEAD"),
    join(registration, "index"),
    join(top, ".git", "packed-refs"),
  ]) {
    await rename(path, `${path}.aside`).catch(() => {});
    await makePipe(path);
    await expect(finish(), path).rejects.toThrow("is a pipe, a socket or a device");
    await rm(path);
    await rename(`${path}.aside`, path).catch(() => {});
  }
  const ignores = join(worktree.root, ".gitignore");
  await write(worktree.root, { ".gitignore": "" });
  await truncate(ignores, 20 * 2 ** 30);
  await expect(finish()).rejects.toThrow("git would read all of it");
  await rm(ignores);
  const daemon = createServer().listen(join(top, ".git", "fsmonitor--daemon.ipc"));
  await once(daemon, "listening");
  expect(await finish()).toMatchObject({ isBranchKept: true });
  daemon.close();
});

test("a worktree is not made where the parent's own files would make git wait, and nothing is left", async () => {
  const { top, folder } = await makeRepository();
  const before = await stateOf(top);
  await makePipe(join(top, "sub", ".gitattributes"));
  await expect(createWorktree({ workspace: top, folder })).rejects.toThrow("is a pipe, a socket or a device");
  await rm(join(top, "sub"), { recursive: true });
  expect(await stateOf(top)).toBe(before);
});
