import { readdir, realpath, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import { refOf } from "./branches.ts";
import { creationMarker, creationSuffix, isBeingMade } from "./creation-marker.ts";
import { findRepository } from "./find-repository.ts";
import { findRegistration, removeHalfMadeWorktree, undefinedIfMissing } from "./registrations.ts";
import { readRecord, type Worktree } from "./worktree-record.ts";

// Creating a worktree takes seconds, and is given up after minutes; for markers that do not name their process.
const surelyOverMs = 3_600_000;

interface Place {
  readonly workspace: string;
  readonly folder: string;
}

/** Removes half-created worktrees of killed processes from a folder; those being created now are left alone. */
export async function removeHalfMade({ workspace, folder }: Place): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(creationSuffix)) continue;
    const worktree = join(folder, name.slice(0, -creationSuffix.length));
    const stats = await stat(join(folder, name)).catch(undefinedIfMissing);
    // The worktree is complete.
    if (stats === undefined) continue;
    const isUnderWay = (await isBeingMade(worktree)) ?? Date.now() - stats.mtimeMs < surelyOverMs;
    if (!isUnderWay) await recoverWorktree({ workspace, folder: worktree });
  }
}

/**
 * The worktree that a killed process has left in a folder, to be finished. A half-created one, in which no work can
 * have been done, is removed. Undefined if the folder has no worktree of ours. Do not call while a worktree is being
 * created.
 */
export async function recoverWorktree(options: Place): Promise<Worktree | undefined> {
  const { git, gitFolder, top, workspace } = await findRepository(options.workspace);
  const parent = await realpath(dirname(resolve(options.folder))).catch(() => undefined);
  if (parent === undefined) return undefined;
  const folder = join(parent, basename(resolve(options.folder)));
  const registration = await findRegistration(gitFolder, folder);
  const record = registration === undefined ? undefined : await readRecord(registration);
  if ((await stat(creationMarker(folder)).catch(() => undefined)) !== undefined) {
    // The branch first, because the record that names it goes with the worktree.
    if (record !== undefined) await git.run(["update-ref", "-d", refOf(record.branch), record.base]);
    await removeHalfMadeWorktree(gitFolder, folder);
    await rm(creationMarker(folder), { recursive: true, force: true });
    return undefined;
  }
  if (record === undefined) return undefined;
  return { folder, root: join(folder, relative(top, workspace)), ...record, gitFolder, repository: top };
}
