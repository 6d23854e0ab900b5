import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gitEnvironment } from "../../../support/git-environment.ts";
import { putFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

/** A temporary folder, gone after the test. */
export async function makeFolder(): Promise<string> {
  return temporaryFolder("toolwright worktrees-");
}

const identity = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org"];

export async function git(cwd: string, ...args: string[]): Promise<string> {
  return execute(cwd, "git", [...identity, ...args]);
}

async function execute(cwd: string, program: string, args: readonly string[]): Promise<string> {
  const env = { ...gitEnvironment, LC_ALL: "C", GIT_OPTIONAL_LOCKS: "0" };
  return (await promisify(execFile)(program, args, { cwd, env })).stdout;
}

export async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  putFiles(root, files);
}

/** A repository with one commit, and a place beside it for worktrees. */
export async function makeRepository(files: Readonly<Record<string, string>> = { a: "a\n" }) {
  const around = await makeFolder();
  const top = join(around, "repository");
  await mkdir(top);
  await write(top, files);
  await execute(top, "sh", ["-c", firstCommit, "sh", ...identity]);
  return { around, top, folder: join(around, "trees", "child") };
}

// By one program, since starting each of the three from a test's process takes longer than what it does.
const firstCommit =
  'git init --quiet --initial-branch=main && git add --all && git "$@" commit --quiet --message=first';

/** All of a repository that has to stay as it is while somebody works beside it, but for the branches named. */
export async function stateOf(top: string, except: readonly string[] = []): Promise<string> {
  const state = await execute(top, "sh", ["-c", showState]);
  return state
    .split("\n")
    .filter((line) => !except.some((name) => line.startsWith(`refs/heads/${name} `)))
    .join("\n");
}

const showState = `set -e
git for-each-ref '--format=%(refname) %(objectname)'
git status --porcelain=v2 --branch --show-stash --untracked-files=all
git ls-files --stage --debug
git diff
git stash list
git config --list --local
git worktree list --porcelain | sed '/^$/q'`;
