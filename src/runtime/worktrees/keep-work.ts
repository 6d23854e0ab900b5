import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { quoteControls } from "../../shared/quote-controls.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createNumbered, refOf, tipOf } from "./branches.ts";
import { commitTree } from "./commit-tree.ts";
import type { Git } from "./open-git.ts";
import { snapshotTree } from "./snapshot-tree.ts";
import type { Worktree } from "./worktree.ts";
import { readTaken } from "./worktree-record.ts";

/**
 * Commits what is left in a worktree's folder, and gives the branch on which all that was done is. Whoever worked there may
 * have changed to another branch, or to none. That other branch is never written: what is there in the end goes on the
 * worktree's own, unless that one holds commits which would be lost; then on a new one beside it.
 */
export async function keepWork(
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
  const taken = await readTaken(registration);
  // Somebody else finishes it, and files may have been gone already when they were committed here.
  if (taken !== undefined) return taken;
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
    // It goes with the worktree, also where this is not reached again.
    scratchFolder: registration,
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
