import { readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { randomUUID } from "../../shared/crypto.ts";
import { removeTree } from "./remove-tree.ts";
import { undefinedIfMissing } from "./undefined-if-missing.ts";

/** Where a repository keeps what belongs to the worktree in this folder; undefined where it knows of none there. */
export async function findRegistration(gitFolder: string, folder: string): Promise<string | undefined> {
  const registrations = await listRegistrations(gitFolder);
  const places = await Promise.all(registrations.map(readPlace));
  return registrations[places.indexOf(join(folder, ".git"))];
}

async function listRegistrations(gitFolder: string): Promise<string[]> {
  const worktrees = join(gitFolder, "worktrees");
  const names = (await readdir(worktrees).catch(undefinedIfMissing)) ?? [];
  return names.map((name) => join(worktrees, name));
}

async function readPlace(registration: string): Promise<string | undefined> {
  const text = await readFile(join(registration, "gitdir"), "utf8").catch(undefinedIfNotOurs);
  // Newer gits may write it relative to where it stands.
  return text === undefined ? undefined : resolve(registration, text.replace(/\n$/, ""));
}

/** One that another user made may be closed to us. */
function undefinedIfNotOurs(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EACCES") undefinedIfMissing(error);
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
  // Under another name, so that whoever is still at work in it can put nothing more there.
  const removed = join(gitFolder, "worktrees", `${removedBeginning}${randomUUID()}`);
  await rename(registration, removed).catch(undefinedIfMissing);
  // First, since half of a registration that is still found would say that the work has yet to be taken.
  await rm(join(removed, "gitdir"), { force: true });
  await removeLeftovers(gitFolder);
}

const removedBeginning = "toolwright-removed-";

/** Takes away what is on its way out, also where whoever was about to do so was killed. */
export async function removeLeftovers(gitFolder: string): Promise<void> {
  await removeNameless(gitFolder, (name) => name.startsWith(removedBeginning));
}

/** Those that do not say, or no longer, of which folder they are. */
async function removeNameless(gitFolder: string, isMeant: (name: string) => boolean): Promise<void> {
  for (const registration of await listRegistrations(gitFolder)) {
    if (!isMeant(basename(registration))) continue;
    const names = await readdir(registration).catch(undefinedIfNotOurs);
    if (names?.includes("gitdir") === false) await removeTree(registration);
  }
  // As git does after the last one.
  await rmdir(join(gitFolder, "worktrees")).catch(() => {});
}

/**
 * Takes away one that is only half made, of which git may not even have written down where it was to be. A git that makes
 * another one of the same name in this very moment can lose it; that one is run again.
 */
export async function removeHalfMadeWorktree(gitFolder: string, folder: string): Promise<void> {
  await removeWorktree(gitFolder, folder);
  await removeNameless(gitFolder, (name) => isNamedAfter(folder, name));
}

/** Git takes the folder's name, replaces what cannot stand in a branch, and adds a number where there is one already. */
function isNamedAfter(folder: string, name: string): boolean {
  const pattern = basename(folder).replace(/[^a-zA-Z0-9]/g, ".?");
  return new RegExp(`^${pattern}\\d*$`, "s").test(name);
}
