import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readPluginRecords } from "../../../../config/plugins/plugin-records.ts";
import type { ProcessLives } from "../../../../machine/locks/process-lives.ts";

/**
 * The name of a copy that the person has not agreed to yet. That may take hours, so the name tells which process it
 * belongs to.
 */
export function newCopyName({ own }: Pick<ProcessLives, "own">): string {
  return `${newBeginning}${own}`;
}

const newBeginning = "new_";

/** Removes the copies that no list names and no process is about to add: theirs were killed. */
export async function removeLeftCopies(plugins: string, { isAlive }: Pick<ProcessLives, "isAlive">) {
  const listed = new Set((await readPluginRecords(plugins)).map(({ folder }) => folder));
  for (const name of (await readdir(plugins)).filter((each) => !listed.has(each))) {
    const copy = join(plugins, name);
    const found = await lstat(copy).catch(() => undefined);
    if (!found?.isDirectory()) continue;
    const isNeeded = name.startsWith(newBeginning)
      ? isAlive(name.slice(newBeginning.length))
      : found.ctimeMs > Date.now() - sparedMs;
    if (!isNeeded) await rm(copy, { recursive: true, force: true });
  }
}

// Longer than it takes from the copy's last name to its place in the list.
const sparedMs = 60 * 60 * 1000;
