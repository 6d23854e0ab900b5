import { homedir, tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

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
