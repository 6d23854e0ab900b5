import { defined } from "../../shared/options/defined.ts";
import { type DamagedVariable, findDamagedVariables } from "./kept/damaged-variables.ts";
import type { KeptKind } from "./kept/kept-kind.ts";
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
    let page: Awaited<ReturnType<Store["rawLogs"]["readRows"]>>;
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
