import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../store/store.ts";

type Reader = Pick<Store, "readEvents" | "readLastSequence">;

/** A store's reads, of which it is known whether any are under way: who closes the store lets them end first. */
export function trackReads<Given extends Reader>(store: Given): { store: Given; settled(): Promise<void> } {
  const reading = new Set<Promise<unknown>>();
  const track = async <Result>(read: Promise<Result>): Promise<Result> => {
    reading.add(read);
    try {
      return await read;
    } finally {
      reading.delete(read);
    }
  };
  return {
    store: {
      ...store,
      readEvents: (sessionId, query) => track(store.readEvents(sessionId, query)),
      readLastSequence: (sessionId) => track(store.readLastSequence(sessionId)),
    },
    async settled() {
      // One read may follow upon another; whoever has had a turn and reads nothing is done, or waits for somebody else.
      do {
        await Promise.allSettled(reading);
        await nextTurn();
      } while (reading.size > 0);
    },
  };
}
