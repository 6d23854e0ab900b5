import { ClaimLost, type Entry, type Store } from "./store.ts";

/** Writes an entry if what it requires still holds. False if another process was faster. */
export async function claim(
  store: Pick<Store, "append">,
  sessionId: string,
  entry: Omit<Entry, "events"> & Partial<Pick<Entry, "events">>,
): Promise<boolean> {
  try {
    await store.append(sessionId, { events: [], ...entry });
    return true;
  } catch (error) {
    if (error instanceof ClaimLost) return false;
    throw error;
  }
}
