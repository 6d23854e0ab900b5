import { rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomUUID } from "../../../shared/crypto.ts";
import { readSmallFile } from "../../../shared/files/read-small-file.ts";
import { undefinedIfMissing } from "./registrations.ts";

/** A separate working tree on its own branch, for one sub-agent. Plain data: another process can finish it. */
export interface Worktree {
  /** The worktree's own folder. */
  readonly folder: string;
  /** The workspace inside it, at the same place below the repository's top as the parent's workspace. */
  readonly root: string;
  readonly branch: string;
  /** The commit it begins at. */
  readonly base: string;
  /** The base includes uncommitted changes of the parent's working tree. */
  readonly hasUncommitted: boolean;
  /** The repository's git folder (git's common dir), which commands in the worktree have to read. */
  readonly gitFolder: string;
  /** The top of the parent's working tree. */
  readonly repository: string;
}

/** A file that we add to a worktree's registration: it marks the worktree as ours and records where it began. */
export type WorktreeRecord = Pick<Worktree, "base" | "hasUncommitted" | "branch">;

export async function writeRecord(registration: string, record: WorktreeRecord): Promise<void> {
  const { base, hasUncommitted, branch } = record;
  await writeFile(join(registration, recordName), `${base} ${hasUncommitted} ${branch}\n`);
}

/** Undefined if the worktree is not ours, or only half created. */
export async function readRecord(registration: string): Promise<WorktreeRecord | undefined> {
  const text = await readSmallFile(join(registration, recordName));
  // A branch name has neither spaces nor line breaks.
  const [, base, hasUncommitted, branch] = /^([0-9a-f]+) (true|false) (\S+)\n$/.exec(text) ?? [];
  if (base === undefined || branch === undefined) return undefined;
  return { base, hasUncommitted: hasUncommitted === "true", branch };
}

/** Records that the work is on this branch. From here on the folder no longer counts: some of its files may be gone already. */
export async function markWorkSaved(registration: string, branch: string): Promise<void> {
  // Renamed into place, so that it is complete for other processes, even if this one is killed.
  const written = join(registration, `${takenName}-${randomUUID()}`);
  await writeFile(written, branch);
  await rename(written, join(registration, takenName));
}

/** Where a worktree's work is. */
export type WorkState =
  /** The work is not yet on a branch. */
  | { readonly status: "left" }
  | { readonly status: "taken"; readonly branch: string }
  /** Another process has finished the worktree and removed its registration. */
  | { readonly status: "gone" };

export async function readState(registration: string): Promise<WorkState> {
  const branch = await readSmallFile(join(registration, takenName));
  if (branch !== "") return { status: "taken", branch };
  // Checked second, because the process that saves the work marks it as saved first and then removes this record.
  const record = await stat(join(registration, recordName)).catch(undefinedIfMissing);
  return { status: record === undefined ? "gone" : "left" };
}

/** The branch with the work, if it is known. */
export function branchOf(state: WorkState): string | undefined {
  return state.status === "taken" ? state.branch : undefined;
}

const recordName = "toolwright";
const takenName = "toolwright-taken";
