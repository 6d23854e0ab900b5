import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { creationSuffix } from "./creation-marker.ts";
import { recoverWorktree } from "./recover-worktree.ts";
import { undefinedIfMissing } from "./undefined-if-missing.ts";

// Creating a worktree takes seconds, and is given up after minutes.
const surelyOverMs = 3_600_000;

/** Removes half-created worktrees of killed processes from a folder; those being created now are left alone. */
export async function removeHalfMade(options: {
  readonly workspace: string;
  readonly folder: string;
}): Promise<void> {
  const { workspace, folder } = options;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(creationSuffix)) continue;
    const stats = await stat(join(folder, name)).catch(undefinedIfMissing);
    // It is complete, or still being created.
    if (stats === undefined || Date.now() - stats.mtimeMs < surelyOverMs) continue;
    await recoverWorktree({ workspace, folder: join(folder, name.slice(0, -creationSuffix.length)) });
  }
}
