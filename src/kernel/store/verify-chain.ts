import { defined } from "../../shared/options/defined.ts";
import type { LogRow } from "./chain-hash.ts";
import { isScopeOf, type KeptKind } from "./kept/kept-kind.ts";
import { type BrokenLink, createLogCheck, type LogCheck } from "./log-check.ts";
import type { LogClaims, Store } from "./store.ts";

export interface ChainReport {
  readonly sessionId: string;
  /** The number of events that are whole, up to the first broken one. */
  readonly events: number;
  readonly receipts: number;
  /** The first broken link, if there is one. */
  readonly broken?: BrokenLink;
  /** The end of the log is recorded in the store alone, so a store that was replaced as a whole would not be noticed. */
  readonly isUnanchored?: true;
  /** Variables stored beside the log that cannot be read; their readers go on without them. */
  readonly damaged?: readonly DamagedVariable[];
}

const pageSize = 500;

/**
 * Recomputes every hash of a session's log, up to its end as it is when this begins. Checks the values of the given kinds
 * beside it.
 */
export async function verifyChain(
  store: Store,
  sessionId: string,
  kinds: readonly KeptKind[] = [],
): Promise<ChainReport> {
  let claims: LogClaims;
  try {
    claims = await store.rawLogs.readClaims(sessionId);
  } catch (error) {
    return { sessionId, events: 0, receipts: 0, broken: unreadable(1, error) };
  }
  const check = createLogCheck(sessionId, claims);
  const broken = await findBreak(store, sessionId, check);
  const { events, receipts } = check;
  const damaged = await findDamagedVariables(store, { kinds, sessionId });
  const isUnanchored = store.isShared && claims.anchor === undefined && claims.lastSequence > 0;
  const faults = defined({
    broken,
    isUnanchored: isUnanchored || undefined,
    damaged: damaged.length > 0 ? damaged : undefined,
  });
  return { sessionId, events, receipts, ...faults };
}

async function findBreak(store: Store, sessionId: string, check: LogCheck): Promise<BrokenLink | undefined> {
  for (let since = 0; ; ) {
    let page: readonly LogRow[];
    try {
      page = await store.rawLogs.readRows(sessionId, { since, limit: pageSize });
    } catch (error) {
      return unreadable(since + 1, error);
    }
    for (const row of page) {
      const broken = check.take(row);
      if (broken !== undefined) return broken;
      since = row.sequence;
    }
    if (page.length < pageSize || check.isComplete()) return check.finish();
  }
}

function unreadable(sequence: number, error: unknown): BrokenLink {
  return { sequence, reason: `it cannot be read: ${(error as Error).message}` };
}

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
