import { randomUUID } from "node:crypto";
import { readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { removeTree } from "./remove-tree.ts";

/** Where a repository keeps what belongs to the worktree in this folder; undefined where it knows of none there. */
export async function findRegistration(gitFolder: string, folder: string): Promise<string | undefined> {
  const worktrees = join(gitFolder, "worktrees");
  const names = await readdir(worktrees).catch(() => []);
  const places = await Promise.all(names.map((name) => readPlace(join(worktrees, name))));
  const index = places.indexOf(join(folder, ".git"));
  return index === -1 ? undefined : join(worktrees, names[index] ?? "");
}

async function readPlace(registration: string): Promise<string | undefined> {
  const text = await readFile(join(registration, "gitdir"), "utf8").catch(() => undefined);
  // Newer gits may write it relative to where it stands.
  return text === undefined ? undefined : resolve(registration, text.replace(/\n$/, ""));
}

/**
 * Takes away a worktree, whatever state it is in: git itself refuses one that is locked, half made or half removed, and
 * would prune others that merely cannot be reached just now.
 */
export async function removeWorktree(gitFolder: string, folder: string): Promise<void> {
  // Last, since it tells that there is something to be taken away.
  await removeTree(folder);
  await removeRegistration(gitFolder, folder);
}

export async function removeRegistration(gitFolder: string, folder: string): Promise<void> {
  const registration = await findRegistration(gitFolder, folder);
  if (registration === undefined) return;
  const worktrees = join(gitFolder, "worktrees");
  // Under another name, so that whoever is still at work in it can put nothing more there.
  const removed = join(worktrees, randomUUID());
  await rename(registration, removed).catch(unlessGone);
  // First, since half of a registration that is still found would say that the work has yet to be taken.
  await rm(join(removed, "gitdir"), { force: true });
  await rm(removed, { recursive: true, force: true });
  // As git does after the last one.
  await rmdir(worktrees).catch(() => {});
}

/** Somebody else may have taken it away in the meantime. */
function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
