import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "../../shared/crypto.ts";
import { undefinedIfMissing } from "./undefined-if-missing.ts";
import type { Worktree } from "./worktree.ts";

/** What we leave with a worktree's registration: by it we know it as ours, and where it began. */
export type WorktreeRecord = Pick<Worktree, "base" | "hasUncommitted" | "branch">;

export async function writeRecord(registration: string, record: WorktreeRecord): Promise<void> {
  const { base, hasUncommitted, branch } = record;
  await writeFile(join(registration, recordName), `${base} ${hasUncommitted} ${branch}\n`);
}

/** Undefined where it is not ours, or only half made. */
export async function readRecord(registration: string): Promise<WorktreeRecord | undefined> {
  const text = (await readFile(join(registration, recordName), "utf8").catch(undefinedIfMissing)) ?? "";
  // The name of a branch holds neither spaces nor line breaks.
  const [, base, hasUncommitted, branch] = /^([0-9a-f]+) (true|false) (\S+)\n$/.exec(text) ?? [];
  if (base === undefined || branch === undefined) return undefined;
  return { base, hasUncommitted: hasUncommitted === "true", branch };
}

/** From here on its files are no longer its work, which is on this branch: some of them may be gone already. */
export async function markWorkSaved(registration: string, branch: string): Promise<void> {
  // In one piece, for whoever looks at it in this moment, or after this process was killed in it.
  const written = join(registration, `${takenName}-${randomUUID()}`);
  await writeFile(written, branch);
  await rename(written, join(registration, takenName));
}

/** What has become of a worktree's work. */
export type WorkState =
  /** It still has to be put on a branch. */
  | { readonly status: "left" }
  | { readonly status: "taken"; readonly branch: string }
  /** Somebody has finished the worktree, and its registration is no more. */
  | { readonly status: "gone" };

export async function readState(registration: string): Promise<WorkState> {
  const branch = await readFile(join(registration, takenName), "utf8").catch(undefinedIfMissing);
  if (branch !== undefined) return { status: "taken", branch };
  // Looked for second: whoever takes the work says so first, and then takes this away.
  const record = await stat(join(registration, recordName)).catch(undefinedIfMissing);
  return { status: record === undefined ? "gone" : "left" };
}

/** The branch on which the work is, where that is known. */
export function branchOf(state: WorkState): string | undefined {
  return state.status === "taken" ? state.branch : undefined;
}

const recordName = "toolwright";
const takenName = "toolwright-taken";
