interface ShareableSession {
  readonly isOpen: boolean;
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** A runtime's open sessions, by id. */
export interface SharedSessions<Session> {
  /** Returns a session that is already open: two with the same id would not see each other's variables. */
  share(options: { readonly id: string }, open: () => Promise<Session>): Promise<Session>;
  /** Closes all sessions, including those that are still being opened. */
  close(): Promise<void>;
}

export function createSharedSessions<Session extends ShareableSession>(): SharedSessions<Session> {
  const sessions = new Map<string, Promise<Session>>();

  const share: SharedSessions<Session>["share"] = async (options, open) => {
    const { id, ...others } = options;
    const shared = sessions.get(id);
    if (shared !== undefined) {
      const session = await shared;
      if (session.isOpen) {
        // A caller that asks for a stricter mode must not get a session with a looser one.
        if (Object.keys(others).length === 0) return session;
        throw new TypeError(`session ${id} is already open; close it before you open it with other options`);
      }
      await session.closed;
      return share(options, open);
    }
    const opening = open();
    sessions.set(id, opening);
    opening.then(
      (session) => session.closed.then(() => sessions.delete(id)),
      () => sessions.delete(id),
    );
    return opening;
  };

  return {
    share,
    async close() {
      const open = await Promise.allSettled(sessions.values());
      const closing = open.map((session) => session.status === "fulfilled" && session.value.close());
      // The store closes next, so wait for all of them even if one fails.
      await Promise.allSettled(closing);
      await Promise.all(closing);
    },
  };
}
