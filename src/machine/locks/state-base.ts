import { tmpdir } from "node:os";
import { join } from "node:path";
import { findHomeFolder } from "../../shared/files/home-folder.ts";

/** The folder under which the user's programs keep their state. */
export function stateBase(environment: NodeJS.ProcessEnv = process.env): string {
  // The standard says to ignore a relative value.
  const configured = environment.XDG_STATE_HOME;
  return configured?.startsWith("/") ? configured : defaultStateBase();
}

/** The same folder, unless the environment names another. */
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

/** What we keep must never end up in the workspace because HOME is empty or relative. */
export function homeFolder(): string {
  const home = findHomeFolder();
  if (home !== undefined) return home;
  throw new Error("this user's home folder is unknown; set HOME to an absolute path");
}
