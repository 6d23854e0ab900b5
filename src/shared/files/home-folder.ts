import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

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
