import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeLine, openWorld as openFiles } from "../judge-line.ts";

const plain = "[core]\n\tbare = false\n";

/** A repository and a worktree of it, as git lays them out, side by side. */
async function openWorktree(files: Readonly<Record<string, string>> = {}) {
  const around = await openFiles({
    "repository/.git/HEAD": "ref: refs/heads/main\n",
    "repository/.git/config": plain,
    "repository/.git/objects/pack/x": "",
    "repository/.git/refs/heads/x": "",
    "repository/.git/worktrees/tree/HEAD": "ref: refs/heads/other\n",
    "repository/.git/worktrees/tree/commondir": "../..\n",
    "tree/sub/a": "",
    ...files,
  });
  const folder = around.directory;
  await writeFile(join(folder, "repository/.git/worktrees/tree/gitdir"), `${folder}/tree/.git\n`);
  await writeFile(join(folder, "tree/.git"), `gitdir: ${folder}/repository/.git/worktrees/tree\n`);
  const directory = join(folder, "tree");
  return { ...around, folder, directory, root: directory };
}

test("git only reads in a worktree as in any repository", async () => {
  const world = await openWorktree();
  for (const line of ["git status", "git diff", "git log -1", "cd sub && git status"]) {
    expect(await judgeLine(line, world)).toMatchObject({ isAllowed: true });
  }
  expect((await judgeLine("git commit -m x", world)).isAllowed).toBe(false);
});

test("a worktree and its repository may point to each other by relative paths", async () => {
  const world = await openWorktree();
  await writeFile(join(world.directory, ".git"), "gitdir: ../repository/.git/worktrees/tree\n");
  const gitdir = join(world.folder, "repository/.git/worktrees/tree/gitdir");
  await writeFile(gitdir, "../../../../tree/.git\n");
  expect(await judgeLine("git status", world)).toMatchObject({ isAllowed: true });
});

test.each(["config", "config.worktree", "worktrees/tree/config.worktree"])(
  "settings in the repository's %s count for its worktree",
  async (name) => {
    const world = await openWorktree({ [`repository/.git/${name}`]: "[core]\nfsmonitor = x" });
    expect((await judgeLine("git status", world)).isAllowed).toBe(false);
  },
);

test("a repository that does not know the worktree, or has its settings elsewhere, is not trusted", async () => {
  for (const [name, text] of [
    ["repository/.git/worktrees/tree/gitdir", "/somewhere/else/.git\n"],
    ["repository/.git/worktrees/tree/gitdir", ""],
    ["repository/.git/worktrees/tree/commondir", "../../../../evil\n"],
    ["repository/.git/commondir", "../../evil\n"],
    ["tree/.git", "gitdir: ../evil\n"],
    ["tree/.git", "gitdir: \n"],
    ["tree/.git", "gitdir: ../repository/.git/worktrees/tree\n../evil\n"],
    ["tree/.git", "../repository/.git/worktrees/tree\n"],
    ["tree/.git", ""],
  ] as const) {
    const world = await openWorktree();
    await writeFile(join(world.folder, name), text);
    expect([name, text, (await judgeLine("git status", world)).isAllowed]).toEqual([name, text, false]);
  }
});

test("a repository that commands could write without being asked about is not trusted", async () => {
  const world = await openWorktree();
  const { folder, directory } = world;
  await mkdir(join(directory, "inside"));
  for (const place of ["bare", "tree/inside/.git"]) {
    await rename(join(folder, "repository/.git"), join(folder, place));
    await writeFile(join(directory, ".git"), `gitdir: ${folder}/${place}/worktrees/tree\n`);
    expect((await judgeLine("git status", world)).isAllowed).toBe(false);
    await rename(join(folder, place), join(folder, "repository/.git"));
  }
  await rename(join(folder, "repository/.git"), join(folder, "moved"));
  await symlink("../moved", join(folder, "repository/.git"));
  await writeFile(join(directory, ".git"), `gitdir: ${folder}/repository/.git/worktrees/tree\n`);
  expect((await judgeLine("git status", world)).isAllowed).toBe(false);
});

/** A package of a larger repository, as a workspace of its own. */
async function openPackage(files: Readonly<Record<string, string>> = {}) {
  const around = await openFiles({ "packages/a/src/x.ts": "", "packages/b/y.ts": "", ...files });
  const repository = around.directory;
  const directory = join(repository, "packages/a");
  return { ...around, repository, directory, root: directory };
}

test("git only reads in a package of a larger repository, which is shown to it", async () => {
  const world = await openPackage();
  for (const line of [
    "git status",
    "git diff",
    "git log --oneline -5",
    "cd src && git status",
    "git blame src/x.ts",
  ]) {
    const { isAllowed, judgement } = await judgeLine(line, world);
    expect([line, isAllowed]).toEqual([line, true]);
    expect(judgement.commands.at(-1)?.effects.repository).toBe(world.repository);
  }
  for (const line of [
    "git commit -m x",
    "git show HEAD:packages/b/y.ts",
    "git show HEAD:./../b/y.ts",
    "git diff -- ../b",
    "git diff -- :/packages/b",
    "git -C .. status",
    "cd .. && git status",
  ])
    expect([line, (await judgeLine(line, world)).isAllowed]).toEqual([line, false]);
});

test.each([
  ["settings that run a program", { ".git/config": "[core]\nfsmonitor = x" }],
  ["settings elsewhere", { ".git/commondir": "../evil" }],
  ["a bare repository in the workspace's root", { "packages/a/objects/x": "", "packages/a/refs/x": "" }],
  ["a bare repository in between", { "packages/objects/x": "", "packages/refs/x": "" }],
  ["another repository in between", { "packages/.git/config": "[core]\nfsmonitor = x" }],
  ["a file in between that names another repository", { "packages/.git": "gitdir: ../evil\n" }],
  ["a bare repository beneath", { "packages/a/src/objects/x": "", "packages/a/src/refs/x": "" }],
] as const)("in a package of a larger repository, %s makes git ask", async (_what, files) => {
  const world = await openPackage(files);
  expect((await judgeLine("cd src && git status", world)).isAllowed).toBe(false);
});

test("a link in place of the repository around the workspace is not followed", async () => {
  const world = await openPackage();
  await rename(join(world.repository, ".git"), join(world.repository, "elsewhere"));
  await symlink("elsewhere", join(world.repository, ".git"));
  expect((await judgeLine("git status", world)).isAllowed).toBe(false);
});

test("a repository that holds the home folder is not shown to git in a folder of it", async () => {
  const world = await openPackage();
  const atHome = { ...world, holdsHome: async (folder: string) => folder === world.repository };
  expect(await judgeLine("git status", atHome)).toMatchObject({
    isAllowed: false,
    reasons: [expect.stringContaining("holds the home folder")],
  });
});
