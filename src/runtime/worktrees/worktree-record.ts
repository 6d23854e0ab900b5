import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Worktree } from "./worktree.ts";

/** What we leave with a worktree's registration: by it we know it as ours, and where it began. */
export type WorktreeRecord = Pick<Worktree, "base" | "hasUncommitted" | "branch">;

export async function writeRecord(registration: string, record: WorktreeRecord): Promise<void> {
  const { base, hasUncommitted, branch } = record;
  await writeFile(join(registration, recordName), `${base} ${hasUncommitted} ${branch}\n`);
}

/** Undefined where it is not ours, or only half made. */
export async function readRecord(registration: string): Promise<WorktreeRecord | undefined> {
  const text = await readFile(join(registration, recordName), "utf8").catch(() => "");
  // The name of a branch holds neither spaces nor line breaks.
  const [, base, hasUncommitted, branch] = /^([0-9a-f]+) (true|false) (\S+)\n$/.exec(text) ?? [];
  if (base === undefined || branch === undefined) return undefined;
  return { base, hasUncommitted: hasUncommitted === "true", branch };
}

/** From here on its files are no longer its work, which is on this branch: some of them may be gone already. */
export async function markTaken(registration: string, branch: string): Promise<void> {
  await writeFile(join(registration, takenName), branch);
}

/** The branch on which its work is; undefined where it still has to be put there. */
export async function readTaken(registration: string): Promise<string | undefined> {
  return readFile(join(registration, takenName), "utf8").catch(() => undefined);
}

const recordName = "toolwright";
const takenName = "toolwright-taken";
