import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { creationSuffix } from "./creation-marker.ts";
import { recoverWorktree } from "./recover-worktree.ts";
import { undefinedIfMissing } from "./undefined-if-missing.ts";

// Making one takes seconds at most, and is given up after minutes.
const surelyOverMs = 3_600_000;

/** Takes away what makers that were killed have left in a folder of worktrees; those that work there now are let be. */
export async function removeHalfMade(options: {
  readonly workspace: string;
  readonly folder: string;
}): Promise<void> {
  const { workspace, folder } = options;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith(creationSuffix)) continue;
    const stats = await stat(join(folder, name)).catch(undefinedIfMissing);
    // It is made by now, or is being made.
    if (stats === undefined || Date.now() - stats.mtimeMs < surelyOverMs) continue;
    await recoverWorktree({ workspace, folder: join(folder, name.slice(0, -creationSuffix.length)) });
  }
}
