import type { Deadline } from "../../shared/deadline.ts";

/** A session's running calls. */
export interface OpenCalls {
  /** `id` only for a whole call, not for a part of one with its own deadline, such as a hook. */
  add(deadline: Deadline, id?: string): void;
  hasId(id: string): boolean;
  delete(deadline: Deadline): void;
  /** Cancels the call with this id, or all that are open now. Returns how many that were. */
  cancel(reason: Error, id?: string): number;
  /** Cancels every open call and returns when all have ended. No other can begin. */
  cancelAll(reason: Error): Promise<void>;
  readonly isClosed: boolean;
  /** What `cancelAll` was called with. */
  readonly closeReason: Error | undefined;
}

export function createOpenCalls(): OpenCalls {
  const open = new Map<Deadline, string | undefined>();
  let onNone: (() => void) | undefined;
  let closeReason: Error | undefined;
  return {
    get closeReason() {
      return closeReason;
    },
    get isClosed() {
      return onNone !== undefined;
    },
    add(deadline, id) {
      open.set(deadline, id);
    },
    hasId(id) {
      for (const known of open.values()) if (known === id) return true;
      return false;
    },
    delete(deadline) {
      open.delete(deadline);
      if (open.size === 0) onNone?.();
    },
    cancel(reason, id) {
      const meant = [...open].filter(([, each]) => id === undefined || each === id);
      for (const [deadline] of meant) deadline.cancel(reason);
      return meant.length;
    },
    cancelAll(reason) {
      closeReason = reason;
      return new Promise((resolve) => {
        onNone = resolve;
        for (const deadline of open.keys()) deadline.cancel(reason);
        if (open.size === 0) resolve();
      });
    },
  };
}
