import type { Store } from "./store.ts";

interface AppendListeners extends Pick<Store, "onAppend" | "onAnyAppend"> {
  tell(sessionId: string): void;
}

/** Listeners for appends to a session's log, or to any. */
export function createAppendListeners(): AppendListeners {
  const listeners = new Map<string, Set<() => void>>();
  const forAll = new Set<(sessionId: string) => void>();
  return {
    onAppend(sessionId, listener) {
      const group = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, group.add(listener));
      return () => {
        group.delete(listener);
        if (group.size === 0) listeners.delete(sessionId);
      };
    },

    onAnyAppend(listener) {
      forAll.add(listener);
      return () => forAll.delete(listener);
    },

    tell(sessionId) {
      for (const listener of listeners.get(sessionId) ?? []) listener();
      for (const listener of forAll) listener(sessionId);
    },
  };
}
