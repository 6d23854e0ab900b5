import { findSessionsAsking } from "../people/index.ts";
import { isAliveIn, type SessionRecord, type Store } from "../store/index.ts";

/** `dead`: the process that had it open ended without closing it. `waiting`: a person has to decide on a call, or to answer a question. */
export type SessionState = "running" | "waiting" | "dead" | "closed";

/** What each session is doing, in the order given. */
export async function readSessionStates(
  store: Pick<Store, "listScopes" | "readVariables" | "lives">,
  sessions: readonly SessionRecord[],
): Promise<readonly SessionState[]> {
  const waiting = await findSessionsAsking(store);
  return Promise.all(
    sessions.map(async ({ id, owner, closedAt }) => {
      if (owner !== undefined && (await isAliveIn(store, owner)))
        return waiting.has(id) ? "waiting" : "running";
      return closedAt === undefined ? "dead" : "closed";
    }),
  );
}
