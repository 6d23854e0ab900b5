import type { Store } from "./store.ts";

export interface AppendListeners {
  add: Store["onAppend"];
  tell(sessionId: string): void;
}

/** Listeners for appends to a session's log. */
export function createAppendListeners(): AppendListeners {
  const listeners = new Map<string, Set<() => void>>();
  return {
    add(sessionId, listener) {
      const group = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, group.add(listener));
      return () => {
        group.delete(listener);
        if (group.size === 0) listeners.delete(sessionId);
      };
    },

    tell(sessionId) {
      for (const listener of listeners.get(sessionId) ?? []) listener();
    },
  };
}
