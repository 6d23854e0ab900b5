import type { Delegation } from "../services/service.ts";

export interface TimedDelegation extends Delegation {
  /** Time spent only waiting for sub-agents. It is not charged to the call, because their own calls are. */
  readonly waitedMs: number;
  end(): void;
}

/** Measures how long a call waits for sub-agents. Waits that overlap are counted once. */
export function createDelegation(): TimedDelegation {
  const ending = new AbortController();
  let waits = 0;
  let sinceMs = 0;
  let pastMs = 0;
  return {
    signal: ending.signal,
    get waitedMs() {
      return waits === 0 ? pastMs : pastMs + performance.now() - sinceMs;
    },
    async during(work) {
      if (waits === 0) sinceMs = performance.now();
      waits += 1;
      try {
        return await work;
      } finally {
        waits -= 1;
        if (waits === 0) pastMs += performance.now() - sinceMs;
      }
    },
    end: () => ending.abort(new Error("the call has ended")),
  };
}
