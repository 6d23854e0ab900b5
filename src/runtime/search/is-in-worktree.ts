import { lstat, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

/** Whether the nearest repository around a folder is a linked worktree: its `.git` is a file that leads to one. */
export async function isInWorktree(folder: string): Promise<boolean> {
  for (let place = folder; ; place = dirname(place)) {
    const path = join(place, ".git");
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isFile() && stats.size <= maxLinkBytes) return leadsToWorktree(path);
    if (stats !== undefined || place === dirname(place)) return false;
  }
}

// A path and a few words.
const maxLinkBytes = 16 * 1024;

/** A submodule's is a file as well, and leads to where nothing is shared. */
async function leadsToWorktree(path: string): Promise<boolean> {
  const text = await readFile(path, "utf8").catch(() => "");
  const target = /^gitdir: ([^\0\n]+)\n?$/.exec(text)?.[1];
  if (target === undefined) return false;
  const shared = await lstat(join(resolve(dirname(path), target), "commondir")).catch(() => undefined);
  return shared?.isFile() ?? false;
}
