import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../tool/tool-error.ts";
import { commitAt, createNumbered, refOf, tipOf } from "./branches.ts";
import { commitTree } from "./commit-tree.ts";
import { type Git, gitFailed } from "./open-git.ts";
import { snapshotTree } from "./snapshot-tree.ts";
import type { Worktree } from "./worktree.ts";
import { branchOf, readState, type WorkState } from "./worktree-record.ts";

/**
 * Commits what is left in a worktree's folder, and gives the branch on which all that was done is. Whoever worked there may
 * have changed to another branch, or to none. That other branch is never written: what is there in the end goes on the
 * worktree's own, unless that one holds commits which would be lost; then on a new one beside it. Undefined where somebody
 * else has finished the worktree meanwhile.
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
  throw new ToolError("conflict", "somebody else goes on to commit there", {
    hint: "See who that is, and finish it when they have ended.",
  });
}

const maxTries = 10;

/** Moved: somebody else has put something on the branch, or has it looked at another one, while we were about to. */
async function tryToKeep(
  common: Git,
  worktree: Worktree,
  { registration, message }: { registration: string; message: string },
): Promise<WorkState | { status: "moved" }> {
  const { folder, base } = worktree;
  const git = common.at({ gitFolder: registration });
  const tip = await tipOf(common, worktree.branch);
  const head = await headOf(git);
  const parent = head?.commit ?? tip ?? base;
  const isThere = (await lstat(folder).catch(() => undefined))?.isDirectory() ?? false;
  const commit = isThere
    ? await commitFiles(git.at({ cwd: folder, workTree: folder }), { folder, registration, parent, message })
    : parent;
  const state = await readState(registration);
  // Somebody else finishes it, and files may have been gone already when they were committed here.
  if (state.status !== "left") return state;
  if (head?.ref === refOf(worktree.branch)) {
    // From the common folder, where a lock that was left on the worktree's own HEAD is not in the way.
    const isThereNow = commit === tip || (await moveRef(common, head.ref, { from: parent, to: commit }));
    return isThereNow ? { status: "taken", branch: worktree.branch } : { status: "moved" };
  }
  // Whoever worked there has ended, and what was killed may have left this.
  await rm(join(registration, "HEAD.lock"), { force: true });
  // So that to do this again finds nothing new to commit.
  if (!(await moveRef(git, "HEAD", { from: head?.commit, to: commit }))) return { status: "moved" };
  const branch = await keepReachable(common, worktree, { tip, commit });
  return branch === undefined ? { status: "moved" } : { status: "taken", branch };
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
  const tree = await snapshotTree({
    git,
    workTree: folder,
    ownGitFolder: registration,
    head: parent,
    inner: "taken",
    // It goes with the worktree, also where this is not reached again.
    scratchFolder: registration,
  });
  if (tree === (await git.line(["rev-parse", `${parent}^{tree}`]))) return parent;
  return commitTree(git, { tree, parent, message });
}

/** False where somebody else has moved it meanwhile. */
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

/** Undefined where somebody else has moved the branch meanwhile. */
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
  // One at this commit was made by whoever was killed while finishing, or finishes it as well.
  return createNumbered(git, branch, { commit, orAt: "commit" });
}

async function isAncestor(git: Git, one: string, other: string): Promise<boolean> {
  return (await git.run(["merge-base", "--is-ancestor", one, other])).exitCode === 0;
}
