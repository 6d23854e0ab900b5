/** Listeners for appends to a session's log, or to any. */
export function createAppendListeners() {
  const listeners = new Map<string, Set<() => void>>();
  const forAll = new Set<(sessionId: string) => void>();
  return {
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

    tell(sessionId: string) {
      for (const listener of listeners.get(sessionId) ?? []) listener();
      for (const listener of forAll) listener(sessionId);
    },
  };
}
