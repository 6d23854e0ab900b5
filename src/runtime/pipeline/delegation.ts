import type { Delegation } from "../services/service.ts";

export interface TimedDelegation extends Delegation {
  /** How long the call has done nothing but wait; what the others' own calls take is paid for with them. */
  readonly waitedMs: number;
  end(): void;
}

/** What a call lets others do, and waits for: the time is counted once, however much of it there is at a time. */
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
