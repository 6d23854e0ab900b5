import type { Store } from "./store.ts";

export interface AppendListeners {
  add: Store["onAppend"];
  addForAll: Store["onAnyAppend"];
  tell(sessionId: string): void;
}

/** Listeners for appends to a session's log, or to any. */
export function createAppendListeners(): AppendListeners {
  const listeners = new Map<string, Set<() => void>>();
  const forAll = new Set<(sessionId: string) => void>();
  return {
    add(sessionId, listener) {
      const group = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, group.add(listener));
      return () => {
        group.delete(listener);
        if (group.size === 0) listeners.delete(sessionId);
      };
    },

    addForAll(listener) {
      forAll.add(listener);
      return () => forAll.delete(listener);
    },

    tell(sessionId) {
      for (const listener of listeners.get(sessionId) ?? []) listener();
      for (const listener of forAll) listener(sessionId);
    },
  };
}
