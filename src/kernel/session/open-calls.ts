import type { Deadline } from "../../shared/deadline.ts";

/** A session's running calls. */
export type OpenCalls = ReturnType<typeof createOpenCalls>;

export function createOpenCalls() {
  const open = new Map<Deadline, string | undefined>();
  let onNone: (() => void) | undefined;
  const calls = {
    /** The reason that `cancelAll` was called with: since then, no call can begin. */
    closeReason: undefined as Error | undefined,
    /** `id` only for a whole call, not for a part of one with its own deadline, such as a hook. */
    add(deadline: Deadline, id?: string) {
      open.set(deadline, id);
    },
    hasId(id: string) {
      for (const known of open.values()) if (known === id) return true;
      return false;
    },
    delete(deadline: Deadline) {
      open.delete(deadline);
      if (open.size === 0) onNone?.();
    },
    /** Cancels the call with this id, or all that are open now. Returns how many that were. */
    cancel(reason: Error, id?: string) {
      const meant = [...open].filter(([, each]) => id === undefined || each === id);
      for (const [deadline] of meant) deadline.cancel(reason);
      return meant.length;
    },
    /** Cancels every open call and returns when all have ended. No other can begin. */
    cancelAll(reason: Error) {
      calls.closeReason = reason;
      return new Promise<void>((resolve) => {
        onNone = resolve;
        for (const deadline of open.keys()) deadline.cancel(reason);
        if (open.size === 0) resolve();
      });
    },
  };
  return calls;
}
