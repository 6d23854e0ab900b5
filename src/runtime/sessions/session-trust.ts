import type { TaintSource } from "../policy/taint.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import { createSessionLog } from "./session-log.ts";
import { openTaint } from "./session-taint.ts";

/** What a person vouches for who trusts a session: everything that it and its sub-agents have read so far. */
export interface SessionTrust {
  /** The session, those it was spawned from, and all of their sub-agents' sessions, which share their content. */
  readonly sessions: readonly string[];
  readonly sources: readonly TaintSource[];
  give(by: string): Promise<void>;
}

/** For a session that may be open in another process, which notices before its next call. */
export async function openSessionTrust(store: Store, id: string): Promise<SessionTrust> {
  const sessions = familyOf(id, await store.listSessions());
  const taints = await Promise.all(
    sessions.map((each) => openTaint({ store, log: createSessionLog(store, each) }, each)),
  );
  const sources = taints.flatMap((taint) => taint.list());
  return {
    sessions,
    sources: [...new Map(sources.map((source) => [`${source.kind} ${source.name}`, source])).values()],
    async give(by) {
      for (const taint of taints) await taint.clear(by);
    },
  };
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
