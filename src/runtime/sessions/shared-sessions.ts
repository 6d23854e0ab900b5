interface ShareableSession {
  readonly isOpen: boolean;
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** The sessions of a runtime that are open, by their ids. */
export interface SharedSessions<Session> {
  /** Gives a session that is open already out again: two of the same id would not know of each other's variables. */
  share(options: { readonly id: string }, open: () => Promise<Session>): Promise<Session>;
  /** Closes all of them, and waits for those that are being opened. */
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
        // Whoever asks for a stricter mode must not be given a looser one.
        if (Object.keys(others).length === 0) return session;
        throw new TypeError(`session ${id} is open already; close it before you open it with other options`);
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
      // All have to be done before the store may go, whatever becomes of one of them.
      await Promise.allSettled(closing);
      await Promise.all(closing);
    },
  };
}
