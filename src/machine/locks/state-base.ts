import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { ToolError } from "../../tool/tool-error.ts";
import { lstatNow, mkdirNow } from "./files-now.ts";

/** The folder under which the user's programs keep their state. */
export function stateBase(environment: NodeJS.ProcessEnv = process.env): string {
  // The standard says to ignore a relative value.
  const configured = environment.XDG_STATE_HOME;
  return configured?.startsWith("/") ? configured : defaultStateBase();
}

/** The folder for state where the environment names no other. */
export function defaultStateBase(): string {
  return join(homeFolder(), ".local", "state");
}

/**
 * Where the locks between this user's processes are: beside the state of all workspaces, or in the folder for temporary
 * files where there can be no state. No tool and no command may touch either.
 */
export function lockFolders(): readonly [string, string] {
  return [
    join(stateBase(), "toolwright-locks"),
    join(tmpdir(), `toolwright-locks-${process.geteuid?.() ?? 0}`),
  ];
}

/** Finds the home folder, or throws: state must never end up in the workspace because HOME is empty or relative. */
export function homeFolder(): string {
  const home = findHomeFolder();
  if (home !== undefined) return home;
  throw new Error("this user's home folder is unknown; set HOME to an absolute path");
}

/** Creates the folder for locks if need be. Not remembered: what failed once may work the next time. */
export function openLockFolder(): string {
  const [first, second] = lockFolders();
  try {
    // A user without a home has none after this either.
    if (first.startsWith(homeFolder())) lstatNow(homeFolder());
    return openPrivateFolder(first);
  } catch {
    return openPrivateFolder(second);
  }
}

/** Creates a folder that only this user can open, or checks that it is one. */
export function openPrivateFolder(folder: string): string {
  mkdirNow(folder, { recursive: true, mode: 0o700 });
  const stats = lstatNow(folder);
  // In a shared folder, anybody could have created this name first.
  const isOwn =
    process.geteuid === undefined || (stats.uid === process.geteuid() && (stats.mode & 0o077) === 0);
  if (stats.isDirectory() && isOwn) return folder;
  throw new ToolError("unavailable", `${folder} must be a folder that only this user can access`, {
    hint: "Remove it, or ask its owner to remove it.",
  });
}

/** The user's home folder; HOME may be empty or relative, and then it is looked up. Undefined if it is unknown. */
export function findHomeFolder(): string | undefined {
  // The list of users is read only if it is needed.
  return tryHome(homedir) ?? tryHome(() => userInfo().homedir);
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
