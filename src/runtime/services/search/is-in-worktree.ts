import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readGitLink } from "../../../shared/git-link.ts";

/** Whether the nearest repository around a folder is a linked worktree: its `.git` is a file that leads to one. */
export async function isInWorktree(folder: string): Promise<boolean> {
  for (let place = folder; ; place = dirname(place)) {
    const stats = await lstat(join(place, ".git")).catch(() => undefined);
    if (stats !== undefined) return leadsToWorktree(place);
    if (place === dirname(place)) return false;
  }
}

/** A submodule's is a file as well, and leads to where nothing is shared. */
async function leadsToWorktree(folder: string): Promise<boolean> {
  const own = await readGitLink(folder);
  if (own === undefined) return false;
  const shared = await lstat(join(own, "commondir")).catch(() => undefined);
  return shared?.isFile() ?? false;
}
