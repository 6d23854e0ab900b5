import { mkdir, realpath, rm, rmdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { relativeInside } from "../../../shared/relative-inside.ts";
import { quoteControls } from "../../../shared/text/quote-controls.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { checkBranchName, createBranch, refOf } from "./branches.ts";
import { creationMarker, writeMaker } from "./creation-marker.ts";
import { findRepository, type Repository } from "./find-repository.ts";
import { findRegistration, removeHalfMadeWorktree, removeRegistration } from "./registrations.ts";
import { commitTree, snapshotTree } from "./snapshot-tree.ts";
import { type Worktree, type WorktreeRecord, writeRecord } from "./worktree-record.ts";

export interface CreateOptions {
  readonly workspace: string;
  /** Must not exist yet; missing parents are created. */
  readonly folder: string;
  /** Must not exist yet. Default: named after the folder. */
  readonly branch?: string | undefined;
  /** Files that the worktree gets as they are committed, or not at all. Default: none. */
  isSecret?(path: string): boolean;
  readonly signal?: AbortSignal;
  /** It is removed if this process is killed before it calls `settleWorktree`. Default: it stays from the beginning. */
  readonly isTentative?: boolean;
}

/**
 * Creates a worktree that starts with the workspace as it is now, including uncommitted changes. The parent's working
 * tree, index, HEAD and stash are not touched. If it fails, nothing is left behind.
 */
export async function createWorktree(options: CreateOptions): Promise<Worktree> {
  const { branch: wanted, signal } = options;
  const repository = await findRepository(options.workspace, signal);
  const { git, gitFolder, top, workspace } = repository;
  if (wanted !== undefined) await checkBranchName(git, wanted);
  const { folder, giveUp } = await claimFolder(options.folder, gitFolder);
  try {
    const begin = await makeBase(repository, creationMarker(folder), options);
    await git.read(["worktree", "add", "--quiet", "--detach", folder, begin.base]);
    const root = join(folder, relative(top, workspace));
    // No file in it may be committed, so git may not have created it.
    await mkdir(root, { recursive: true });
    signal?.throwIfAborted();
    const branch = await putOnBranch(repository, { folder, wanted, begin });
    if (!options.isTentative) await settleWorktree({ folder });
    return { folder, root, branch, ...begin, gitFolder, repository: top };
  } catch (error) {
    await giveUp();
    throw error;
  }
}

/** Marks a worktree as complete: from here on its work is kept, whatever happens to this process. */
export async function settleWorktree({ folder }: Pick<Worktree, "folder">): Promise<void> {
  await rm(creationMarker(folder), { recursive: true, force: true });
}

type Beginning = Pick<WorktreeRecord, "base" | "hasUncommitted">;

async function makeBase(
  { git, top, ownGitFolder, head }: Repository,
  scratchFolder: string,
  { isSecret, signal }: Pick<CreateOptions, "isSecret" | "signal">,
): Promise<Beginning> {
  const inner = "left-out";
  const taken = { git, workTree: top, ownGitFolder, head, inner, isSecret, scratchFolder, signal } as const;
  const tree = await snapshotTree(taken);
  if (tree === (await git.line(["rev-parse", `${head}^{tree}`])))
    return { base: head, hasUncommitted: false };
  const message = "Uncommitted changes when this branch began";
  return { base: await commitTree(git, { tree, parent: head, message }), hasUncommitted: true };
}

async function claimFolder(path: string, gitFolder: string): ReturnType<typeof tryToClaim> {
  for (let tries = 1; ; tries++) {
    try {
      return await tryToClaim(path, gitFolder);
    } catch (error) {
      // A process that finishes the last worktree here removes the parent folder.
      if (tries === maxTries || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
}

const maxTries = 50;

async function tryToClaim(path: string, gitFolder: string) {
  const parent = dirname(resolve(path));
  const first = await mkdir(parent, { recursive: true, mode: 0o700 });
  const removeParents = async () => {
    for (let made = parent; first !== undefined && relativeInside(first, made) !== undefined; ) {
      await rmdir(made).catch(() => {});
      made = dirname(made);
    }
  };
  try {
    // Canonical, as git records it.
    const folder = join(await realpath(parent), basename(resolve(path)));
    if (relativeInside(gitFolder, folder) !== undefined) {
      throw new ToolError("invalid-input", `${quoteControls(folder)} is inside the repository's git folder`);
    }
    const mark = creationMarker(folder);
    await claim(mark);
    try {
      await writeMaker(folder);
      // The folder may be inside the working tree that is about to be copied.
      await writeFile(join(mark, ".gitignore"), "*\n");
      await claim(folder);
    } catch (error) {
      await settleWorktree({ folder });
      throw error;
    }
    // The folder of an earlier worktree may have been removed without telling git.
    await removeRegistration(gitFolder, folder);
    /** Removes everything created there, including parent folders. */
    const giveUp = async () => {
      await removeHalfMadeWorktree(gitFolder, folder);
      await settleWorktree({ folder });
      await removeParents();
    };
    return { folder, giveUp };
  } catch (error) {
    await removeParents();
    throw error;
  }
}

/** Claims a folder by making it. Git does not make it, so that only one of two competing processes gets it. */
async function claim(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause;
    throw new ToolError("already-exists", `${quoteControls(path)} already exists`, {
      hint: "Choose a folder that does not exist yet.",
      cause,
    });
  }
}

/**
 * Puts the worktree on its branch. The branch comes last, and is on record before it exists, so that a killed process leaves
 * no branch behind. This step ignores the signal, so that it is complete.
 */
async function putOnBranch(
  repository: Repository,
  { folder, wanted, begin }: { folder: string; wanted: string | undefined; begin: Beginning },
): Promise<string> {
  const git = repository.git.at({ signal: undefined });
  const registration = await findRegistration(repository.gitFolder, folder);
  if (registration === undefined) {
    throw new ToolError("conflict", `${quoteControls(folder)} is no longer a worktree`);
  }
  const announce = (branch: string) => writeRecord(registration, { ...begin, branch });
  const branch = await createBranch(git, { commit: begin.base, wanted, folder, announce });
  try {
    await git.at({ gitFolder: registration, workTree: folder }).read(["symbolic-ref", "HEAD", refOf(branch)]);
    return branch;
  } catch (error) {
    await git.run(["update-ref", "-d", refOf(branch), begin.base]);
    throw error;
  }
}
