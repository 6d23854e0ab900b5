/** How long a call has done nothing but wait for others, whose own calls are paid for by themselves. */
export interface DelegatedTime {
  /** Counts while the work lasts; once, however much of it there is at a time. */
  during<Result>(work: Promise<Result>): Promise<Result>;
  readonly totalMs: number;
}

export function createDelegatedTime(): DelegatedTime {
  let waits = 0;
  let sinceMs = 0;
  let pastMs = 0;
  return {
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
    get totalMs() {
      return waits === 0 ? pastMs : pastMs + performance.now() - sinceMs;
    },
  };
}
