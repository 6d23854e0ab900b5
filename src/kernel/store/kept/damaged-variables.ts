import type { Store } from "../store.ts";
import { isScopeOf, type KeptKind } from "./kept-kind.ts";

/** A stored value that cannot be read, or is not of the kind kept there. */
export interface DamagedVariable {
  /** Such as `budget:<session>`. */
  readonly scope: string;
  readonly name: string;
}

/**
 * Finds the damaged variables of one session, or of all. Their readers go on without them, so only this reports them.
 */
export async function findDamagedVariables(
  store: Pick<Store, "listScopes" | "readVariables">,
  { kinds, sessionId }: { readonly kinds: readonly KeptKind[]; readonly sessionId?: string },
): Promise<readonly DamagedVariable[]> {
  const found: DamagedVariable[] = [];
  let scopes: readonly string[];
  try {
    scopes = await store.listScopes("");
  } catch {
    return [{ scope: "variables", name: "of every kind" }];
  }
  for (const scope of scopes) {
    const isOwnScope = sessionId === undefined || scope.endsWith(`:${sessionId}`);
    // Records that every session has are kept in a separate scope, under the session's id.
    if (!isOwnScope && !scope.startsWith("session-")) continue;
    try {
      const tell = (name: string) => {
        if (isOwnScope || name === sessionId) found.push({ scope, name });
      };
      const kind = kinds.find((each) => isScopeOf(each, scope));
      for (const [name, value] of await store.readVariables(scope, tell))
        if (kind?.isValue(value) === false) tell(name);
    } catch {
      // The database itself is damaged there; damage in other scopes is told all the same.
      found.push({ scope, name: "(all of it)" });
    }
  }
  return found;
}
