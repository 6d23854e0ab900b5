/** Counts the appends of this process, and tells the listeners for one session's log, or for any. */
export function createAppendListeners() {
  const appends = { written: 0, failed: 0 };
  const listeners = new Map<string, Set<() => void>>();
  const forAll = new Set<(sessionId: string) => void>();
  return {
    /** The writer of an entry counts here that it could not be written. */
    appends,

    onAppend(sessionId: string, listener: () => void) {
      const group = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, group.add(listener));
      return () => {
        group.delete(listener);
        if (group.size === 0) listeners.delete(sessionId);
      };
    },

    onAnyAppend(listener: (sessionId: string) => void) {
      forAll.add(listener);
      return () => forAll.delete(listener);
    },

    tellWritten(sessionId: string) {
      appends.written += 1;
      for (const listener of listeners.get(sessionId) ?? []) listener();
      for (const listener of forAll) listener(sessionId);
    },
  };
}
