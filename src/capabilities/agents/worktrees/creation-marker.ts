import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readSmallFile } from "../../../shared/files/read-small-file.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { isRunning, ownIdentity, type ProcessIdentity } from "../../../shared/process-identity.ts";

export const creationSuffix = ".making";

/**
 * A folder beside a worktree that exists only while the worktree is created. It holds temporary files, and if it is left,
 * the process that created the worktree was killed.
 */
export function creationMarker(folder: string): string {
  return `${folder}${creationSuffix}`;
}

/** Records which process creates the worktree. */
export async function writeMaker(folder: string): Promise<void> {
  await writeFile(join(creationMarker(folder), makerName), JSON.stringify(await ownIdentity()));
}

/** Whether the process that was creating the worktree is at work; undefined if it is not known. */
export async function isBeingMade(folder: string): Promise<boolean | undefined> {
  const maker = readIdentity(await readSmallFile(join(creationMarker(folder), makerName)));
  return maker === undefined ? undefined : isRunning(maker);
}

function readIdentity(text: string): ProcessIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isPlainObject(value)) return undefined;
    const { pid, startedAt } = value;
    return typeof pid === "number" && typeof startedAt === "string" ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
}

const makerName = "process.json";
