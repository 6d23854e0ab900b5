import type { Deadline } from "../../shared/deadline.ts";

/** The calls of a session that have begun and not ended. */
export interface OpenCalls {
  add(deadline: Deadline): void;
  delete(deadline: Deadline): void;
  /** Cancels every open call and returns when all have ended. */
  cancelAll(reason: unknown): Promise<void>;
  readonly isClosed: boolean;
}

export function createOpenCalls(): OpenCalls {
  const open = new Set<Deadline>();
  let onNone: (() => void) | undefined;
  return {
    get isClosed() {
      return onNone !== undefined;
    },
    add(deadline) {
      open.add(deadline);
    },
    delete(deadline) {
      open.delete(deadline);
      if (open.size === 0) onNone?.();
    },
    cancelAll(reason) {
      return new Promise((resolve) => {
        onNone = resolve;
        for (const deadline of open) deadline.cancel(reason);
        if (open.size === 0) resolve();
      });
    },
  };
}
