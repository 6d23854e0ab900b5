import { createKodeEvents, type KodeEnvelope } from "../../capabilities/interop/index.ts";
import type { Session } from "../../index.ts";

type Channel = KodeEnvelope["event"]["channel"];

/** An event, with a way to answer where it is a question. */
export type KodeEvent = KodeEnvelope["event"] & {
  respond?(decision: "allow" | "deny", details?: { readonly note?: string }): Promise<void>;
};

export type KodeListener = (event: KodeEvent) => unknown;

export interface KodeQuery {
  /** Only what came after this. */
  readonly since?: { readonly seq: number };
  /** Only events of these types. */
  readonly kinds?: readonly string[];
}

/** Follows a session from a bookmark on and calls its listeners; an error of theirs stops nothing. */
export function listenToKode(
  session: Session,
  { since, warn }: { readonly since: number; readonly warn: (message: string) => void },
) {
  const listeners = new Map<string, Set<KodeListener>>();
  const unheard = new Map<string, KodeListener>();
  const tell = (event: KodeEvent) => {
    const listening = listeners.get(event.type) ?? new Set();
    if (listening.size === 0) unheard.get(event.type)?.(event);
    for (const listener of listening) {
      call(listener, event).catch((error: unknown) => warn(`a listener to ${event.type} failed: ${error}`));
    }
  };
  const follow = async () => {
    const envelopes = subscribeToKode(session, ["progress", "control", "monitor"], { since: { seq: since } });
    for await (const { event } of envelopes) tell(event);
  };
  return {
    /** Resolves when the session has closed and every event was told. */
    ended: follow().catch(() => {}),
    on(type: string, listener: KodeListener): () => void {
      const listening = listeners.get(type) ?? new Set();
      listeners.set(type, listening.add(listener));
      return () => void listening.delete(listener);
    },
    /** For an event that no listener is there for. */
    onUnheard(type: string, listener: KodeListener): () => void {
      unheard.set(type, listener);
      return () => void unheard.delete(type);
    },
  };
}

async function call(listener: KodeListener, event: KodeEvent): Promise<void> {
  await listener(event);
}

/** Past events since a bookmark, then new ones as they happen. */
export async function* subscribeToKode(
  session: Session,
  channels: readonly Channel[] = ["progress"],
  { since, kinds }: KodeQuery = {},
): AsyncGenerator<KodeEnvelope, void, void> {
  const translate = createKodeEvents();
  // The past is read too, because lists of todos are made of all of it.
  for await (const event of session.events({ since: 0 })) {
    for (const envelope of translate(event)) {
      const { channel, type } = envelope.event;
      if (!channels.includes(channel) || (kinds !== undefined && !kinds.includes(type))) continue;
      if (since !== undefined && envelope.bookmark.seq <= since.seq) continue;
      yield { ...envelope, event: withResponse(session, envelope.event) };
    }
  }
}

function withResponse(session: Session, event: KodeEnvelope["event"]): KodeEvent {
  if (event.type !== "permission_required") return event;
  return {
    ...event,
    async respond(decision, { note } = {}) {
      session.approvals.decide(String(event.permissionId), decision, note === undefined ? {} : { note });
    },
  };
}
