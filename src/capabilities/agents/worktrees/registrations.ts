import { chmod, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { randomUUID } from "../../../shared/crypto.ts";
import { readSmallFile } from "../../../shared/files/read-small-file.ts";

/** The folder with the repository's data about the worktree in `folder`; undefined if it has none. */
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
  // Reading a pipe would block; a registration made by another user may be unreadable.
  const text = await readSmallFile(join(registration, "gitdir"));
  // Newer gits may write a path relative to the registration.
  return text === "" ? undefined : resolve(registration, text.replace(/\n$/, ""));
}

/** A registration made by another user may be unreadable. */
function undefinedIfNotOurs(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "EACCES") undefinedIfMissing(error);
}

/**
 * Removes a worktree in any state: git itself refuses one that is locked, half created or half removed, and would prune
 * others that are merely unreachable just now.
 */
export async function removeWorktree(gitFolder: string, folder: string): Promise<void> {
  // The registration goes last, because it shows that there is something to remove.
  await removeTree(folder);
  await removeRegistration(gitFolder, folder);
}

export async function removeRegistration(gitFolder: string, folder: string): Promise<void> {
  const registration = await findRegistration(gitFolder, folder);
  if (registration === undefined) return;
  // Renamed, so that a process still working in it cannot add anything.
  const removed = join(gitFolder, "worktrees", `${removedBeginning}${randomUUID()}`);
  await rename(registration, removed).catch(undefinedIfMissing);
  // First, because a half-removed registration that can still be found would look like unsaved work.
  await rm(join(removed, "gitdir"), { force: true });
  await removeLeftovers(gitFolder);
}

const removedBeginning = "toolwright-removed-";

/** Finishes removals, including those of processes that were killed. */
export async function removeLeftovers(gitFolder: string): Promise<void> {
  await removeNameless(gitFolder, (name) => name.startsWith(removedBeginning));
}

/** Removes registrations that do not, or no longer, name their folder. */
async function removeNameless(gitFolder: string, isMeant: (name: string) => boolean): Promise<void> {
  for (const registration of await listRegistrations(gitFolder)) {
    if (!isMeant(basename(registration))) continue;
    const names = await readdir(registration).catch(undefinedIfNotOurs);
    if (names?.includes("gitdir") === false) await removeTree(registration);
  }
  // Git removes the folder too after it has removed the last worktree.
  await rmdir(join(gitFolder, "worktrees")).catch(() => {});
}

/**
 * Removes a half-created worktree, even if git has not recorded its folder yet. A git process that is creating a worktree
 * with the same name at this moment may fail because of this, and is then run again.
 */
export async function removeHalfMadeWorktree(gitFolder: string, folder: string): Promise<void> {
  await removeWorktree(gitFolder, folder);
  await removeNameless(gitFolder, (name) => isNamedAfter(folder, name));
}

/** Git uses the folder's name, replaces characters that a branch cannot have, and adds a number if the name is taken. */
function isNamedAfter(folder: string, name: string): boolean {
  const pattern = basename(folder).replace(/[^a-zA-Z0-9]/g, ".?");
  return new RegExp(`^${pattern}\\d*$`, "s").test(name);
}

/** Removes a folder with everything in it, even if folders inside are not writable. */
async function removeTree(folder: string): Promise<void> {
  try {
    await remove(folder);
  } catch (error) {
    if (!["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    await makeWritable(folder);
    await remove(folder);
  }
}

/** Retries for a while if something is added to the folder meanwhile. */
function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => {});
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    // A link is not a directory here, so nothing outside is changed.
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}

/**
 * Catches the error of a file that is missing. Any other error, such as too many open files, must not be mistaken for a
 * worktree that is gone.
 */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
