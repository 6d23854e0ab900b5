import { createAlarm } from "../../shared/alarm.ts";
import { foreign, knownKeys } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import type { Store } from "../store/index.ts";

export interface WatchQuery {
  /** Ends the watch. */
  readonly signal?: AbortSignal;
}

const watchKeys = knownKeys<WatchQuery>({ signal: foreign });

/** Something in the store has changed. */
export interface StoreChange {
  /**
   * The sessions that were written to since the last change that was told. Empty for the first, which says that the watch
   * has begun, and for what another process has changed beside the logs, such as an answer for a request that was left.
   */
  readonly sessionIds: readonly string[];
}

// How often to look for writes of other processes. Looking is one read of a number.
const pollMs = 100;
/** Clocks of processes may differ by a little, and a session may be closed before a watcher looks. */
const closedSinceMs = 60_000;

/**
 * Tells that sessions have changed: those written to by this process at once, those of others within 200 ms. Changes that
 * come faster than they are taken are told together, so that nothing piles up.
 */
export function watchSessions(
  store: Store,
  options: WatchQuery & { readonly signal: AbortSignal },
): AsyncGenerator<StoreChange, void, void> {
  refuseUnknownKeys(options, watchKeys, "watch");
  return watchOn(store, options.signal);
}

async function* watchOn(store: Store, signal: AbortSignal): AsyncGenerator<StoreChange, void, void> {
  const changed = new Set<string>();
  const alarm = createAlarm();
  const stopListening = store.onAnyAppend((sessionId) => {
    changed.add(sessionId);
    alarm.ring();
  });
  signal.addEventListener("abort", alarm.ring, { once: true });
  try {
    const lookForOthers = await watchOthers(store, changed);
    yield { sessionIds: [] };
    while (!signal.aborted) {
      const isForeign = await lookForOthers?.();
      if (changed.size > 0 || isForeign) {
        const sessionIds = [...changed];
        changed.clear();
        yield { sessionIds };
        continue;
      }
      // Keeps the process alive: a program that watches waits for other processes.
      await alarm.sleep(lookForOthers === undefined ? undefined : pollMs);
    }
  } catch (error) {
    // The store may be closed by the time that an ended watch looks for the last time.
    if (!signal.aborted) throw error;
  } finally {
    stopListening();
    signal.removeEventListener("abort", alarm.ring);
  }
}

/** Returns how to find out whether another process has written; the sessions are added to those that have changed. */
async function watchOthers({ foreign }: Store, changed: Set<string>) {
  if (foreign === undefined) return undefined;
  const readEnds = () => foreign.readEnds(new Date(Date.now() - closedSinceMs));
  let count = await foreign.readCount();
  let ends = await readEnds();
  return async () => {
    const now = await foreign.readCount();
    if (now === count) return false;
    // Read before the ends, so that a write in between is found next time.
    count = now;
    const before = ends;
    ends = await readEnds();
    for (const [id, end] of ends) if (before.get(id) !== end) changed.add(id);
    return true;
  };
}
