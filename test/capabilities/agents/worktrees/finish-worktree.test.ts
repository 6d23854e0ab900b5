import { chmod, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createWorktree } from "../../../../src/capabilities/agents/worktrees/create-worktree.ts";
import { finishWorktree } from "../../../../src/capabilities/agents/worktrees/finish-worktree.ts";
import { git, makeRepository, stateOf, write } from "./make-repository.ts";
import { replaceGit } from "./replace-git.ts";

const message = "What the child did\n\nmore of it";

async function makeWorktree(files?: Readonly<Record<string, string>>) {
  const made = await makeRepository(files);
  const before = await stateOf(made.top);
  const worktree = await createWorktree({ workspace: made.top, folder: made.folder });
  const commit = async (text: string) => {
    await git(worktree.root, "add", "--all");
    await git(worktree.root, "commit", "--quiet", `--message=${text}`);
    return (await git(worktree.root, "rev-parse", "HEAD")).trim();
  };
  return { ...made, before, worktree, commit };
}

async function expectGone(top: string, folder: string) {
  await expect(readdir(folder)).rejects.toThrow("ENOENT");
  expect((await git(top, "worktree", "list")).trim().split("\n")).toHaveLength(1);
  expect(await readdir(join(top, ".git"))).not.toContain("worktrees");
}

test("a worktree in which nothing was done leaves nothing", async () => {
  const { top, folder, worktree, before } = await makeWorktree();
  const finished = await finishWorktree(worktree, { message });
  expect(finished).toEqual({
    branch: "toolwright/child",
    isBranchKept: false,
    commit: worktree.base,
    files: [],
    hasMoreFiles: false,
  });
  await expectGone(top, folder);
  expect(await stateOf(top)).toBe(before);
  expect(await finishWorktree(worktree, { message })).toEqual(finished);
});

test("work is put on the branch, with new files, and reported", async () => {
  const text = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join("");
  const { top, folder, worktree, before } = await makeWorktree({
    a: "a\n",
    b: "b\n",
    c: text,
    ".gitignore": "ignored\n",
  });
  await write(worktree.root, { a: "changed\n", "new/süß\n": "new\n", ignored: "x" });
  await rm(join(worktree.root, "b"));
  await rename(join(worktree.root, "c"), join(worktree.root, "d"));
  const finished = await finishWorktree(worktree, { message });
  expect(finished).toMatchObject({ branch: "toolwright/child", isBranchKept: true, hasMoreFiles: false });
  expect(finished.files).toEqual([
    { path: "a", change: "changed" },
    { path: "b", change: "deleted" },
    { path: "d", change: "renamed" },
    { path: "new/süß\n", change: "added" },
  ]);
  expect(finished.diffStat).toContain("4 files changed, 2 insertions(+), 2 deletions(-)");
  expect(finished.diffStat?.split("\n")).toHaveLength(5);
  expect(await git(top, "log", "-1", "--format=%B%H", finished.branch)).toBe(
    `${message}\n${finished.commit}\n`,
  );
  expect((await git(top, "rev-parse", `${finished.branch}^`)).trim()).toBe(worktree.base);
  await expectGone(top, folder);
  expect(await stateOf(top, [finished.branch])).toBe(before);
  // Again, as another process would after a crash.
  expect(await finishWorktree(JSON.parse(JSON.stringify(worktree)), { message })).toEqual(finished);
});

test("uncommitted changes of the parent are not reported as the child's work", async () => {
  const { top, around } = await makeRepository();
  await write(top, { a: "parent\n", b: "parent\n" });
  const worktree = await createWorktree({ workspace: top, folder: join(around, "x") });
  await write(worktree.root, { c: "child\n" });
  const { files } = await finishWorktree(worktree, { message });
  expect(files).toEqual([{ path: "c", change: "added" }]);
});

test("commits of the child are kept, with what it left over on top", async () => {
  const { top, worktree, commit } = await makeWorktree();
  await write(worktree.root, { b: "1" });
  const own = await commit("own");
  await write(worktree.root, { c: "1" });
  const finished = await finishWorktree(worktree, { message });
  expect((await git(top, "rev-parse", `${finished.branch}^`)).trim()).toBe(own);
  expect(finished.files.map(({ path }) => path)).toEqual(["b", "c"]);
});

test("a detached HEAD and a branch of the child's own end on the worktree's branch; the other is not written", async () => {
  for (const change of [["--detach"], ["-b", "own"]]) {
    const { top, folder, worktree, commit } = await makeWorktree();
    await git(worktree.root, "checkout", "--quiet", ...change);
    await write(worktree.root, { b: "1" });
    const own = await commit("own");
    await write(worktree.root, { c: "1" });
    const finished = await finishWorktree(worktree, { message });
    expect(finished).toMatchObject({ branch: worktree.branch, isBranchKept: true });
    expect((await git(top, "rev-parse", `${finished.branch}^`)).trim()).toBe(own);
    if (change[0] === "-b") expect((await git(top, "rev-parse", "own")).trim()).toBe(own);
    await expectGone(top, folder);
  }
});

test("work on two lines is kept on two branches, and the one with the last is named", async () => {
  const { top, worktree, commit } = await makeWorktree();
  await write(worktree.root, { b: "1" });
  const first = await commit("first line");
  await git(worktree.root, "checkout", "--quiet", "--detach", worktree.base);
  await write(worktree.root, { c: "1" });
  const finished = await finishWorktree(worktree, { message });
  expect(finished.branch).toBe(`${worktree.branch}-2`);
  expect((await git(top, "rev-parse", worktree.branch)).trim()).toBe(first);
  expect((await git(top, "rev-parse", finished.branch)).trim()).toBe(finished.commit);
  expect(finished.files).toEqual([{ path: "c", change: "added" }]);
});

test("a child that looked at an older commit, or deleted its branch, loses nothing", async () => {
  const one = await makeWorktree();
  await write(one.worktree.root, { b: "1" });
  const own = await one.commit("own");
  await git(one.worktree.root, "checkout", "--quiet", "--detach", one.worktree.base);
  expect(await finishWorktree(one.worktree, { message })).toMatchObject({
    branch: one.worktree.branch,
    commit: own,
  });

  const other = await makeWorktree();
  await git(other.worktree.root, "checkout", "--quiet", "--detach");
  await git(other.worktree.root, "branch", "--quiet", "--delete", "--force", other.worktree.branch);
  await write(other.worktree.root, { b: "1" });
  const finished = await finishWorktree(other.worktree, { message });
  expect(finished).toMatchObject({ branch: other.worktree.branch, isBranchKept: true });
  expect(await git(other.top, "show", `${finished.branch}:b`)).toBe("1");
});

test("a child that began a history of its own keeps its files on the branch", async () => {
  const { top, worktree } = await makeWorktree();
  await git(worktree.root, "checkout", "--quiet", "--orphan", "new");
  await write(worktree.root, { b: "1" });
  const finished = await finishWorktree(worktree, { message });
  expect(finished.files).toEqual([{ path: "b", change: "added" }]);
  expect(await git(top, "show", `${finished.branch}:b`)).toBe("1");
});

test("files of a repository that the child made inside are kept, its settings are not read", async () => {
  const { top, around, worktree } = await makeWorktree({ a: "a", "dir/x": "x" });
  await git(worktree.root, "init", "--quiet", "empty");
  await write(worktree.root, { "empty/x": "1", "empty/.gitignore": "skipped", "empty/skipped": "1" });
  await git(worktree.root, "init", "--quiet", "empty/deeper");
  await write(worktree.root, { "empty/deeper/y": "1", "dir/new": "1" });
  await git(worktree.root, "init", "--quiet", "dir");
  await writeFile(join(around, "trap"), `#!/bin/sh\ntouch '${around}/ran'\n`, { mode: 0o755 });
  await git(join(worktree.root, "empty"), "config", "core.fsmonitor", `'${around}/trap'`);
  await git(join(worktree.root, "empty"), "config", "filter.trap.clean", `'${around}/trap'`);
  await write(worktree.root, { "empty/.gitattributes": "* filter=trap\n" });
  const finished = await finishWorktree(worktree, { message });
  expect(finished.files.map(({ path }) => path)).toEqual([
    "dir/new",
    "empty/.gitattributes",
    "empty/.gitignore",
    "empty/deeper/y",
    "empty/x",
  ]);
  expect(await git(top, "show", `${finished.branch}:empty/deeper/y`)).toBe("1");
  expect(await readdir(around)).not.toContain("ran");
});

test("a worktree whose folder was deleted is finished, and its files do not count as deleted", async () => {
  const { top, around, worktree, commit } = await makeWorktree();
  await write(worktree.root, { b: "1" });
  const own = await commit("own");
  await rm(join(around, "trees"), { recursive: true });
  const finished = await finishWorktree(worktree, { message });
  expect(finished).toMatchObject({
    isBranchKept: true,
    commit: own,
    files: [{ path: "b", change: "added" }],
  });
  await expectGone(top, worktree.folder);
});

test("a worktree with leftover locks, a lock of git's or folders that cannot be written is finished", async () => {
  const { top, folder, worktree } = await makeWorktree();
  await git(top, "worktree", "lock", "--reason=mine", folder);
  const registration = join(top, ".git", "worktrees", "child");
  await write(registration, { "index.lock": "", "HEAD.lock": "" });
  await write(worktree.root, { "deep/er/b": "1" });
  await chmod(join(worktree.root, "deep/er"), 0o555);
  await chmod(join(worktree.root, "deep"), 0o555);
  const finished = await finishWorktree(worktree, { message });
  expect(finished.files).toEqual([{ path: "deep/er/b", change: "added" }]);
  await expectGone(top, folder);
});

test("work that cannot be put on its branch stays in its folder, the error says so, and it can be finished later", async () => {
  const { top, folder, worktree } = await makeWorktree();
  await write(worktree.root, { b: "1" });
  const lock = join(top, ".git", "refs", "heads", `${worktree.branch}.lock`);
  await writeFile(lock, "");
  await expect(finishWorktree(worktree, { message })).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringContaining("could not be put on the branch toolwright/child"),
    hint: expect.stringContaining("still there"),
  });
  expect(await readFile(join(folder, "b"), "utf8")).toBe("1");
  await rm(lock);
  expect(await finishWorktree(worktree, { message })).toMatchObject({ isBranchKept: true });
});

test("a file with a name that git does not commit is not thrown away", async () => {
  const { worktree } = await makeWorktree();
  await write(worktree.root, { "GIT~1": "1" });
  await expect(finishWorktree(worktree, { message })).rejects.toThrow("GIT~1");
  expect(await readFile(join(worktree.root, "GIT~1"), "utf8")).toBe("1");
});

test("a removal whose process was killed is finished, without committing deletions that no agent made", async () => {
  const { top, folder, worktree, commit } = await makeWorktree({ a: "a", b: "b" });
  await write(worktree.root, { c: "1" });
  const own = await commit("own");
  await writeFile(join(top, ".git", "worktrees", "child", "toolwright-taken"), worktree.branch);
  await rm(join(folder, "a"));
  await rm(join(folder, ".git"));
  // Over this the work could not be kept, if it were not kept already.
  await write(folder, { "GIT~1": "1" });
  expect(await finishWorktree(worktree, { message })).toMatchObject({ commit: own, files: [{ path: "c" }] });
  await expectGone(top, folder);
});

test("leftovers of a process that was killed in the last moment of finishing go when another finishes", async () => {
  const { top, folder, worktree } = await makeWorktree();
  await write(worktree.root, { b: "1" });
  const finished = await finishWorktree(worktree, { message });
  await write(join(top, ".git", "worktrees", "toolwright-removed-1"), {
    HEAD: "",
    "logs/HEAD": "",
    locked: "",
  });
  expect(await finishWorktree(worktree, { message })).toEqual(finished);
  await expectGone(top, folder);
});

test("a worktree whose repository is gone fails with that reason", async () => {
  const { top, folder, worktree } = await makeWorktree();
  await rm(top, { recursive: true });
  await expect(finishWorktree(worktree, { message })).rejects.toThrow("git no longer has it registered");
  await rm(folder, { recursive: true });
  await expect(finishWorktree(worktree, { message })).rejects.toMatchObject({
    code: "not-found",
    message: expect.stringContaining("does not exist"),
  });
});

test("another worktree in the same place, or a folder that git has forgotten, is not touched", async () => {
  const one = await makeWorktree();
  await finishWorktree(one.worktree, { message });
  await git(one.top, "worktree", "add", "--quiet", one.folder, "-b", "somebody");
  await write(one.folder, { mine: "1" });
  await finishWorktree(one.worktree, { message });
  expect(await readdir(one.folder)).toEqual([".git", "a", "mine"]);

  const other = await makeWorktree();
  await write(other.folder, { mine: "1" });
  await rm(join(other.top, ".git", "worktrees"), { recursive: true });
  await expect(finishWorktree(other.worktree, { message })).rejects.toThrow(
    "git no longer has it registered",
  );
  expect(await readdir(other.folder)).toEqual([".git", "a", "mine"]);
});

test("a folder put in the place of the worktree by a link is not committed, nor removed", async () => {
  const { around, folder, worktree } = await makeWorktree();
  await rm(folder, { recursive: true });
  await write(join(around, "elsewhere"), { secret: "1" });
  await symlink(join(around, "elsewhere"), folder);
  expect(await finishWorktree(worktree, { message })).toMatchObject({ isBranchKept: false });
  expect(await readdir(join(around, "elsewhere"))).toEqual(["secret"]);
});

test("a worktree with very many files reports the first of them, and that there are more", async () => {
  const { worktree } = await makeWorktree();
  await mkdir(join(worktree.root, "many"));
  await Promise.all(
    Array.from({ length: 600 }, (_, index) => writeFile(join(worktree.root, "many", `${index}`), "1")),
  );
  const { files, hasMoreFiles, diffStat } = await finishWorktree(worktree, { message });
  expect([files.length, hasMoreFiles]).toEqual([500, true]);
  expect(diffStat).toContain("600 files changed");
  expect(diffStat?.split("\n").length).toBeLessThan(60);
});

test("finishing as a whole has a limit in time, and what is not kept by then stays", async () => {
  const { around, folder, worktree } = await makeWorktree();
  await writeFile(join(folder, "work"), "work");
  // Each git takes less than its own limit.
  await replaceGit(around, "sleep 0.4");
  await expect(finishWorktree(worktree, { message, timeoutMs: 600 })).rejects.toMatchObject({
    code: "timed-out",
    message: expect.stringContaining("finishing it took longer than 0.6 seconds"),
  });
  expect(await readFile(join(folder, "work"), "utf8")).toBe("work");
});
