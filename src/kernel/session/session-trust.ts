import type { SessionRecord, Store } from "../store/index.ts";
import { askOwner, findLiveOwner } from "./inbox/ask-owner.ts";
import { createSessionLog } from "./session-log.ts";
import { openTaint } from "./session-taint.ts";

/** The content that a person vouches for by trusting a session: all that it and its sub-agents have read so far. */
export type SessionTrust = Awaited<ReturnType<typeof openSessionTrust>>;

/** Opens the trust of a session. If another process has the session open, that process clears the taint. */
export async function openSessionTrust(store: Store, id: string) {
  const sessions = familyOf(id, await store.listSessions());
  const taints = await Promise.all(
    sessions.map((each) => openTaint({ store, log: createSessionLog(store, each) }, each)),
  );
  const sources = taints.flatMap((taint) => taint.list());
  return {
    /** The session, those it was spawned from, and all of their sub-agents' sessions, which share their content. */
    sessions,
    sources: [...new Map(sources.map((source) => [`${source.kind} ${source.name}`, source])).values()],
    async give(by: string) {
      for (const [index, taint] of taints.entries()) {
        if (!(await askToTrust(store, sessions[index]!, by))) await taint.clear(by);
      }
    },
  };
}

/** False if no process has the session open. */
async function askToTrust(store: Store, id: string, by: string): Promise<boolean> {
  const owner = await findLiveOwner(store, id);
  if (owner === undefined) return false;
  const { outcome } = await askOwner(store, id, { owner, request: { kind: "trust", by } });
  return outcome === "answered";
}

function familyOf(id: string, records: readonly SessionRecord[]): readonly string[] {
  const parents = new Map(records.map((record) => [record.id, record.parent?.sessionId]));
  const topOf = (session: string) => {
    let top = session;
    for (let parent = parents.get(top); parent !== undefined; parent = parents.get(top)) top = parent;
    return top;
  };
  const top = topOf(id);
  const others = records.map((record) => record.id).filter((each) => each !== id && topOf(each) === top);
  return [id, ...others];
}
