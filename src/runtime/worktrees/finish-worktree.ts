import { lstat, readdir, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { quoteControls } from "../../shared/quote-controls.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createNumbered, refOf, tipOf } from "./branches.ts";
import { commitTree } from "./commit-tree.ts";
import { describeWork, type Work } from "./describe-work.ts";
import { type Git, openGit } from "./open-git.ts";
import { findRegistration, removeWorktree } from "./registrations.ts";
import { snapshotTree } from "./snapshot-tree.ts";
import type { Worktree } from "./worktree.ts";
import { isTaken, markTaken, readRecord } from "./worktree-record.ts";

export interface FinishedWorktree extends Work {
  /** The one that holds what was done. */
  readonly branch: string;
  readonly isBranchKept: boolean;
  /** What the branch is at; the base where it was not kept. */
  readonly commit: string;
}

/**
 * Commits what is left, takes the folder away, and keeps the branch if there is anything on it. Safe to call again, also by
 * another process after a crash. Where the work cannot be kept, the folder and the branch stay, and the error says so.
 *
 * Whoever worked there may have changed to another branch, or to none. That other branch is never written: what is there in
 * the end goes on the worktree's own, unless that one holds commits which would be lost; then on a new one beside it.
 */
export async function finishWorktree(
  worktree: Worktree,
  { message }: { message: string },
): Promise<FinishedWorktree> {
  const { gitFolder, repository, folder, base } = worktree;
  const git = openGit({ cwd: gitFolder, untrusted: [repository, folder], gitFolder });
  const registration = await findOwnRegistration(worktree);
  let branch = worktree.branch;
  if (registration === undefined && (await isForgotten(worktree))) throw forgotten(worktree);
  if (registration !== undefined) {
    if (!(await isTaken(registration))) {
      branch = await keepWork(git, worktree, { registration, message }).catch((error: unknown) => {
        throw notKept(worktree, error);
      });
      await markTaken(registration);
    }
    await removeWorktree(gitFolder, folder);
  }
  const commit = (await tipOf(git, branch)) ?? base;
  if (commit === base) await git.run(["update-ref", "-d", refOf(branch), base]);
  return { branch, isBranchKept: commit !== base, commit, ...(await describeWork(git, base, commit)) };
}

/** Another one may have been made in the same place since. */
async function findOwnRegistration({ gitFolder, folder, base }: Worktree): Promise<string | undefined> {
  const registration = await findRegistration(gitFolder, folder);
  if (registration === undefined) return undefined;
  return (await readRecord(registration))?.base === base ? registration : undefined;
}

/** Whether it is one of the repository's that the repository no longer knows, such as after its registration was pruned. */
async function isForgotten({ gitFolder, folder }: Worktree): Promise<boolean> {
  if ((await findRegistration(gitFolder, folder)) !== undefined) return false;
  const path = join(folder, ".git");
  // A pipe of that name would otherwise be waited for.
  const isFile = (await lstat(path).catch(() => undefined))?.isFile() ?? false;
  const link = isFile ? await readFile(path, "utf8").catch(() => "") : "";
  const target = /^gitdir: (.+)\n$/s.exec(link)?.[1];
  return target !== undefined && resolve(folder, target, "../..") === gitFolder;
}

function forgotten(worktree: Worktree): ToolError {
  const hint = "Take from it what you need and remove it, or register it again: git worktree add --force.";
  return notKept(worktree, new ToolError("conflict", "git no longer knows it as a worktree", { hint }));
}

/** Gives the branch on which all that was done is. */
async function keepWork(
  common: Git,
  worktree: Worktree,
  { registration, message }: { registration: string; message: string },
): Promise<string> {
  const { folder, base } = worktree;
  const git = common.at({ gitFolder: registration });
  const tip = await tipOf(common, worktree.branch);
  const head = await headOf(git);
  const parent = head?.commit ?? tip ?? base;
  const isThere = (await lstat(folder).catch(() => undefined))?.isDirectory() ?? false;
  const commit = isThere
    ? await commitFiles(git.at({ cwd: folder, workTree: folder }), { folder, registration, parent, message })
    : parent;
  if (head?.ref === refOf(worktree.branch)) {
    // From the common folder, where a lock that was left on the worktree's own HEAD is not in the way.
    if (commit !== tip) await common.read(["update-ref", refOf(worktree.branch), commit, parent]);
    return worktree.branch;
  }
  // Whoever worked there has ended, and what was killed may have left this.
  await rm(join(registration, "HEAD.lock"), { force: true });
  // So that to do this again finds nothing new to commit.
  await git.read(["update-ref", "--no-deref", "HEAD", commit]);
  return keepReachable(common, worktree, { tip, commit });
}

async function headOf(git: Git): Promise<{ ref: string; commit: string } | undefined> {
  const [ref, commit] = await Promise.all([
    git.run(["symbolic-ref", "--quiet", "HEAD"]),
    git.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]),
  ]);
  if (commit.exitCode !== 0) return undefined;
  return { ref: ref.stdout.toString("utf8").trim(), commit: commit.stdout.toString("utf8").trim() };
}

async function commitFiles(
  git: Git,
  {
    folder,
    registration,
    parent,
    message,
  }: { folder: string; registration: string; parent: string; message: string },
): Promise<string> {
  await checkSubmodules(git, folder);
  const tree = await snapshotTree({
    git,
    workTree: folder,
    ownGitFolder: registration,
    head: parent,
    inner: "taken",
  });
  if (tree === (await git.line(["rev-parse", `${parent}^{tree}`]))) return parent;
  return commitTree(git, { tree, parent, message });
}

/** They are empty in a new worktree, and what somebody put into one cannot be kept on our branch. */
async function checkSubmodules(git: Git, folder: string): Promise<void> {
  const entries = (await git.read(["ls-files", "-z", "--stage"])).toString("utf8").split("\0");
  const paths = entries
    .filter((entry) => entry.startsWith("160000 "))
    .map((entry) => entry.replace(/^.*?\t/, ""));
  for (const path of paths) {
    const names = await readdir(join(folder, path)).catch(() => []);
    if (names.length === 0) continue;
    throw new ToolError("conflict", `${quoteControls(path)} is a submodule, and there are files in it`, {
      hint: "Move them to where they are to be kept, or remove them.",
    });
  }
}

async function keepReachable(
  git: Git,
  { branch, base }: Worktree,
  { tip, commit }: { tip: string | undefined; commit: string },
): Promise<string> {
  if (tip === undefined || tip === base || (await isAncestor(git, tip, commit))) {
    if (tip !== commit) await git.read(["update-ref", refOf(branch), commit]);
    return branch;
  }
  if (await isAncestor(git, commit, tip)) return branch;
  // Made by whoever was killed while finishing.
  const beside = `${branch}-2`;
  return (await tipOf(git, beside)) === commit ? beside : createNumbered(git, branch, commit);
}

async function isAncestor(git: Git, one: string, other: string): Promise<boolean> {
  return (await git.run(["merge-base", "--is-ancestor", one, other])).exitCode === 0;
}

function notKept({ folder, branch }: Worktree, cause: unknown): ToolError {
  const { message } = cause as Error;
  const [code, hint] =
    cause instanceof ToolError ? [cause.code, cause.hint] : ["conflict" as const, undefined];
  return new ToolError(
    code,
    `the work in ${quoteControls(folder)} could not be put on the branch ${branch}: ${message}`,
    {
      hint: `The folder and the branch are still there. ${hint ?? "Commit it by hand, or finish it again."}`,
      cause,
    },
  );
}
