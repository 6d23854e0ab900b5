import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { makingEnding } from "./making-mark.ts";
import { recoverWorktree } from "./recover-worktree.ts";
import { undefinedIfMissing } from "./undefined-if-missing.ts";

// Making one takes seconds at most, and is given up after minutes.
const surelyOverMs = 3_600_000;

/** Takes away what makers that were killed have left in a folder of worktrees; those that work there now are let be. */
export async function removeHalfMade(options: {
  readonly workspace: string;
  readonly parent: string;
}): Promise<void> {
  const { workspace, parent } = options;
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.endsWith(makingEnding)) continue;
    const stats = await stat(join(parent, name)).catch(undefinedIfMissing);
    // It is made by now, or is being made.
    if (stats === undefined || Date.now() - stats.mtimeMs < surelyOverMs) continue;
    await recoverWorktree({ workspace, folder: join(parent, name.slice(0, -makingEnding.length)) });
  }
}
