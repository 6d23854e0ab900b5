import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { judgeLine, openWorld } from "../judge-line.ts";

test.each([
  "[core]\n\tfsmonitor = ./x.sh",
  "[core] fsmonitor = ./x.sh",
  "[CORE]\nFsMonitor=./x.sh",
  '[core]\n\tautocrlf = \\\n\tfalse\n[diff "x"]\n\ttextconv = ./x.sh',
  "[core]\nbare = false # \\\nfsmonitor = x",
  "[core]\n# a comment \\\nfsmonitor = x",
  "[core]\npager = x",
  "[core]\nsshCommand = x",
  "[core]\nhooksPath = x",
  "[core]\nworktree = /",
  "[core]\nattributesFile = x",
  "[diff]\nexternal = x",
  '[diff "jpg"]\ncommand = x',
  "[diff.jpg]\ntextconv = x",
  '[filter "x"]\nsmudge = x',
  '[merge "x"]\ndriver = x',
  "[include]\npath = x",
  '[includeIf "gitdir:/"]\npath = x',
  "[alias]\nst = !x",
  "[pager]\nlog = x",
  "[gpg]\nprogram = x",
  '[gpg "ssh"]\nprogram = x',
  "[log]\nshowSignature = true",
  "[credential]\nhelper = x",
  "[interactive]\ndiffFilter = x",
  "[uploadpack]\npackObjectsHook = x",
  '[remote "origin"]\nuploadpack = x',
  '[remote "origin"]\nvcs = x',
  '[submodule "x"]\nupdate = !x',
  "[trailer]\nx = y",
  "[protocol]\nallow = always",
  '[url "x"]\ninsteadOf = y',
  "[difftool]\nx = y",
  "[format]\npretty = %G?",
  "[unheard-of]\nx = y",
  "[core\nbare = false",
  "bare = false",
  "[core]\n= x",
  "\u0000",
])("a repository with the settings %j is not trusted", async (config) => {
  const world = await openWorld({ ".git/config": config });
  for (const line of ["git status", "git log -1", "git diff"]) {
    expect((await judgeLine(line, world)).isAllowed).toBe(false);
  }
});

test.each([
  "",
  "[core]\n\tbare = false\n\tignorecase = true ; why not",
  '[remote "origin"]\n\turl = https://example.org/a.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*',
  '[branch "a \\"b\\" c"]\n\tmerge = refs/heads/main',
  "[user]\n\tname = core.fsmonitor = x",
  "[pull]\n\trebase",
  "\r\n[core]\r\n\tbare = false\r\n",
])("a repository with the plain settings %j is", async (config) => {
  const world = await openWorld({ ".git/config": config });
  expect(await judgeLine("git status", world)).toMatchObject({ isAllowed: true });
});

test("settings of a work tree count as well", async () => {
  const world = await openWorld({ ".git/config.worktree": "[core]\nfsmonitor = x" });
  expect((await judgeLine("git status", world)).isAllowed).toBe(false);
});

test("settings that cannot be read are not trusted", async () => {
  const world = await openWorld({ elsewhere: "[core]\nfsmonitor = x" });
  await rm(join(world.directory, ".git/config"));
  expect((await judgeLine("git status", world)).isAllowed).toBe(true);
  await symlink("../elsewhere", join(world.directory, ".git/config"));
  expect((await judgeLine("git status", world)).isAllowed).toBe(false);
});

test("only the workspace's own repository counts", async () => {
  const world = await openWorld({
    "src/index.ts": "",
    "nested/.git/HEAD": "",
    "pointer/.git": "gitdir: ../evil",
    "vendor/lib/HEAD": "ref: refs/heads/main",
    "vendor/lib/objects/x": "",
    "vendor/lib/refs/x": "",
    "vendor/lib/deep/a": "",
  });
  await symlink("vendor/lib/deep", join(world.directory, "link"));
  await mkdir(join(world.directory, "linked"));
  await symlink("../nested/.git", join(world.directory, "linked/.git"));
  expect((await judgeLine("cd src && git status", world)).isAllowed).toBe(true);
  const others = [
    "nested",
    "pointer",
    "vendor/lib",
    "vendor/lib/deep",
    "link",
    "linked",
    "..",
    "/",
    "missing",
  ];
  for (const folder of others) {
    expect((await judgeLine(`cd ${folder} && git status`, world)).isAllowed).toBe(false);
  }
});

test("a workspace without a .git folder of its own is not trusted", async () => {
  const world = await openWorld();
  const git = join(world.directory, ".git");
  await rename(git, join(world.directory, "moved"));
  expect((await judgeLine("git status", world)).isAllowed).toBe(false);
  await symlink("moved", git);
  expect((await judgeLine("git status", world)).isAllowed).toBe(false);
  await rm(git);
  await writeFile(git, "gitdir: moved");
  expect((await judgeLine("git status", world)).isAllowed).toBe(false);
});

test("a script that starts in a folder of the workspace finds the workspace's repository", async () => {
  const world = await openWorld({ "src/index.ts": "" });
  const below = { ...world, directory: `${world.directory}/src`, root: world.directory };
  expect((await judgeLine("git log -1", below)).isAllowed).toBe(true);
  expect((await judgeLine("cd .. && git log -1", below)).isAllowed).toBe(true);
  expect((await judgeLine("cd ../.. && git log -1", below)).isAllowed).toBe(false);
});

test("from a folder inside, git is said to read the whole repository", async () => {
  const world = await openWorld({ "src/index.ts": "" });
  const { isAllowed, judgement } = await judgeLine("cd src && git status", world);
  expect(isAllowed).toBe(true);
  expect(judgement.commands.at(-1)?.effects.reads).toContain(world.directory);
});
