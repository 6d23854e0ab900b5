import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../store/index.ts";

/** Keeps track of reads under way, so that they can end before the store is closed. */
export function trackReads(store: Store): { store: Store; settled(): Promise<void> } {
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
      // A reader may go on to read again. If it does not after one turn of the event loop, it is done or waits elsewhere.
      do {
        await Promise.allSettled(reading);
        await nextTurn();
      } while (reading.size > 0);
    },
  };
}
