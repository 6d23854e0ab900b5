import { chmod, mkdir, stat } from "node:fs/promises";
import { homedir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join } from "node:path";
import { sha256 } from "../shared/sha256.ts";

/** The folder for a workspace's permanent state. It is outside the workspace, so that no tool writes there. */
export function stateFolderOf(workspaceRoot: string, environment: NodeJS.ProcessEnv = process.env): string {
  // The standard says to ignore a relative value.
  const configured = environment.XDG_STATE_HOME;
  const base = configured?.startsWith("/") ? configured : join(homeFolder(), ".local", "state");
  const name = basename(workspaceRoot).replace(/[^A-Za-z0-9._-]/g, "_") || "root";
  return join(base, "toolwright", `${name}-${sha256(workspaceRoot).slice(0, 16)}`);
}

/** HOME may be empty or relative; what we keep must never end up in the workspace because of that. */
export function homeFolder(): string {
  const home = [homedir, () => userInfo().homedir].map(tryHome).find((each) => each !== undefined);
  if (home !== undefined) return home;
  throw new Error("this user's home folder is unknown; set HOME to an absolute path");
}

function tryHome(find: () => string): string | undefined {
  try {
    const home = find();
    return isAbsolute(home) ? home : undefined;
  } catch {
    // The user is in no list of users, as in some containers.
    return undefined;
  }
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
