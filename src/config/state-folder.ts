import { chmod, mkdir, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { stateBase } from "../runtime/locks/state-base.ts";
import { sha256 } from "../shared/sha256.ts";

/** The folder for a workspace's permanent state. It is outside the workspace, so that no tool writes there. */
export function stateFolderOf(workspaceRoot: string, environment: NodeJS.ProcessEnv = process.env): string {
  const name = basename(workspaceRoot).replace(/[^A-Za-z0-9._-]/g, "_") || "root";
  return join(stateBase(environment), "toolwright", `${name}-${sha256(workspaceRoot).slice(0, 16)}`);
}

/** Creates the folder, and takes it and the one that all workspaces share away from everybody but the user. */
export async function openStateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const each of [dirname(folder), folder]) await makePrivate(each);
}

async function makePrivate(folder: string): Promise<void> {
  const { mode, uid } = await stat(folder);
  const user = process.getuid?.() ?? uid;
  if (user !== 0 && uid !== user && uid !== 0) {
    throw new Error(`${folder} belongs to another user (${uid}), who could change what is kept there`);
  }
  if ((mode & 0o077) !== 0 && uid === user) await chmod(folder, 0o700);
}
