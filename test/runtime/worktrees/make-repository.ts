import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { gitEnvironment } from "../../support/git-environment.ts";

/** A temporary folder, gone after the test. */
export async function makeFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "toolwright worktrees-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function git(cwd: string, ...args: string[]): Promise<string> {
  const identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"];
  const env = { ...gitEnvironment, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
  const { stdout } = await promisify(execFile)("git", [...identity, ...args], { cwd, env });
  return stdout;
}

export async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

/** A repository with one commit, and a place beside it for worktrees. */
export async function makeRepository(files: Readonly<Record<string, string>> = { a: "a\n" }) {
  const around = await makeFolder();
  const top = join(around, "repository");
  await mkdir(top);
  await git(top, "init", "--quiet", "--initial-branch=main");
  await write(top, files);
  await git(top, "add", "--all");
  await git(top, "commit", "--quiet", "--message=first");
  return { around, top, folder: join(around, "trees", "child") };
}

/** All of a repository that has to stay as it is while somebody works beside it, but for the branches named. */
export async function stateOf(top: string, except: readonly string[] = []): Promise<string> {
  const refs = await git(top, "for-each-ref", "--format=%(refname) %(objectname)");
  const others = refs
    .split("\n")
    .filter((line) => !except.some((name) => line.startsWith(`refs/heads/${name} `)));
  const parts = await Promise.all([
    git(top, "status", "--porcelain=v2", "--branch", "--show-stash", "--untracked-files=all"),
    git(top, "ls-files", "--stage", "--debug"),
    git(top, "diff"),
    git(top, "stash", "list"),
    git(top, "config", "--list", "--local"),
    git(top, "worktree", "list", "--porcelain").then((text) => text.split("\n\n")[0] ?? ""),
  ]);
  return [...others, ...parts].join("\n");
}
