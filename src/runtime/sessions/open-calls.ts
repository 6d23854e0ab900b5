import type { Deadline } from "../../shared/deadline.ts";

/** The calls of a session that have begun and not ended. */
export interface OpenCalls {
  /** `id` where it is a call, and not a part of one that is bounded by itself. */
  add(deadline: Deadline, id?: string): void;
  hasId(id: string): boolean;
  delete(deadline: Deadline): void;
  /** Cancels every open call and returns when all have ended. */
  cancelAll(reason: unknown): Promise<void>;
  readonly isClosed: boolean;
}

export function createOpenCalls(): OpenCalls {
  const open = new Map<Deadline, string | undefined>();
  let onNone: (() => void) | undefined;
  return {
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
    cancelAll(reason) {
      return new Promise((resolve) => {
        onNone = resolve;
        for (const deadline of open.keys()) deadline.cancel(reason);
        if (open.size === 0) resolve();
      });
    },
  };
}
