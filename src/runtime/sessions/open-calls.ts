import type { Deadline } from "../../shared/deadline.ts";

/** A session's running calls. */
export interface OpenCalls {
  /** `id` only for a whole call, not for a part of one with its own deadline, such as a hook. */
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
