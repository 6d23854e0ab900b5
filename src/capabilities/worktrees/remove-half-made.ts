import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { creationSuffix, isBeingMade } from "./creation-marker.ts";
import { recoverWorktree } from "./recover-worktree.ts";
import { undefinedIfMissing } from "./undefined-if-missing.ts";

// Creating a worktree takes seconds, and is given up after minutes; for markers that do not name their process.
const surelyOverMs = 3_600_000;

/** Removes half-created worktrees of killed processes from a folder; those being created now are left alone. */
export async function removeHalfMade(options: {
  readonly workspace: string;
  readonly folder: string;
}): Promise<void> {
  const { workspace, folder } = options;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(creationSuffix)) continue;
    const worktree = join(folder, name.slice(0, -creationSuffix.length));
    const stats = await stat(join(folder, name)).catch(undefinedIfMissing);
    // It is complete.
    if (stats === undefined) continue;
    const isUnderWay = (await isBeingMade(worktree)) ?? Date.now() - stats.mtimeMs < surelyOverMs;
    if (!isUnderWay) await recoverWorktree({ workspace, folder: worktree });
  }
}
