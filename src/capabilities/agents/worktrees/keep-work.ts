import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Git, gitFailed } from "../../../machine/git/index.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { commitAt, createNumbered, refOf, tipOf } from "./branches.ts";
import { checkGitFolders } from "./check-control-files.ts";
import { commitTree, snapshotTree } from "./snapshot-tree.ts";
import { branchOf, readState, type WorkState, type Worktree } from "./worktree-record.ts";

/**
 * Commits remaining changes in a worktree's folder, and returns the branch with all of the work. The agent may have
 * switched to another branch, or detached HEAD. That other branch is never written: the work goes on the worktree's own
 * branch, or, if commits on that one would be lost, on a new branch beside it. Undefined if another process has finished
 * the worktree meanwhile.
 */
export async function keepWork(
  common: Git,
  worktree: Worktree,
  options: { registration: string; message: string },
): Promise<string | undefined> {
  for (let tries = 1; tries <= maxTries; tries++) {
    const kept = await tryToKeep(common, worktree, options);
    if (kept.status !== "moved") return branchOf(kept);
  }
  throw new ToolError("conflict", "another process keeps committing there", {
    hint: "Wait until that process has ended, then finish the worktree again.",
  });
}

const maxTries = 10;

/** `moved`: another process has changed the branch or HEAD meanwhile. */
async function tryToKeep(
  common: Git,
  worktree: Worktree,
  { registration, message }: { registration: string; message: string },
): Promise<WorkState | { status: "moved" }> {
  const { folder, base } = worktree;
  // The agent could write there, and git would wait for an entry that is not a file, such as a pipe.
  await checkGitFolders([worktree.gitFolder, registration]);
  const git = common.at({ gitFolder: registration });
  const tip = await tipOf(common, worktree.branch);
  const head = await headOf(git);
  const parent = head?.commit ?? tip ?? base;
  const isThere = (await lstat(folder).catch(() => undefined))?.isDirectory() ?? false;
  const commit = isThere
    ? await commitFiles(git.at({ cwd: folder, workTree: folder }), { folder, registration, parent, message })
    : parent;
  const state = await readState(registration);
  // Another process is finishing it, so files may have been missing from the commit made here.
  if (state.status !== "left") return state;
  if (head?.ref === refOf(worktree.branch)) {
    // Through the common git folder, where a stale lock on the worktree's own HEAD does not matter.
    const isThereNow = commit === tip || (await moveRef(common, head.ref, { from: parent, to: commit }));
    return isThereNow ? { status: "taken", branch: worktree.branch } : { status: "moved" };
  }
  // The agent has ended; a process that was killed may have left this lock.
  await rm(join(registration, "HEAD.lock"), { force: true });
  // Moves HEAD, so that a second attempt finds nothing new to commit.
  if (!(await moveRef(git, "HEAD", { from: head?.commit, to: commit }))) return { status: "moved" };
  const branch = await keepReachable(common, worktree, { tip, commit });
  return branch === undefined ? { status: "moved" } : { status: "taken", branch };
}

async function headOf(git: Git): Promise<{ ref: string; commit: string } | undefined> {
  const [ref, commit] = await Promise.all([
    git.run(["symbolic-ref", "--quiet", "HEAD"]),
    commitAt(git, "HEAD"),
  ]);
  return commit === undefined ? undefined : { ref: ref.stdout.toString("utf8").trim(), commit };
}

async function commitFiles(
  git: Git,
  place: { folder: string; registration: string; parent: string; message: string },
): Promise<string> {
  const { registration, parent, message } = place;
  const tree = await snapshotTree({
    git,
    workTree: place.folder,
    ownGitFolder: registration,
    head: parent,
    inner: "taken",
    // Removed with the worktree, even if this process is killed.
    scratchFolder: registration,
  });
  if (tree === (await git.line(["rev-parse", `${parent}^{tree}`]))) return parent;
  return commitTree(git, { tree, parent, message });
}

/** False if another process has moved the ref meanwhile. */
async function moveRef(
  git: Git,
  ref: string,
  { from, to }: { from: string | undefined; to: string },
): Promise<boolean> {
  const args = ["update-ref", "--no-deref", ref, to, ...(from === undefined ? [] : [from])];
  const end = await git.run(args);
  if (end.exitCode === 0) return true;
  if ((await commitAt(git, ref)) !== from) return false;
  throw gitFailed(args, end);
}

/** Undefined if another process has moved the branch meanwhile. */
async function keepReachable(
  git: Git,
  { branch, base }: Worktree,
  { tip, commit }: { tip: string | undefined; commit: string },
): Promise<string | undefined> {
  if (tip !== undefined) {
    if (tip === base || (await isAncestor(git, tip, commit))) {
      const isThereNow = tip === commit || (await moveRef(git, refOf(branch), { from: tip, to: commit }));
      return isThereNow ? branch : undefined;
    }
    if (await isAncestor(git, commit, tip)) return branch;
  }
  // A branch at this commit is from another attempt to finish, one that was killed or is under way.
  return createNumbered(git, branch, { commit, orAt: "commit" });
}

async function isAncestor(git: Git, one: string, other: string): Promise<boolean> {
  return (await git.run(["merge-base", "--is-ancestor", one, other])).exitCode === 0;
}
