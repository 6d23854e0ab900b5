/** Lets a loop sleep until there is something to do. */
export interface Alarm {
  /** Ends the sleep, or the next one if the loop is awake. */
  readonly ring: () => void;
  /** Sleeps at most for `ms`; without it, until the alarm rings. With `isIdle`, this does not keep the process alive. */
  sleep(ms?: number, options?: { readonly isIdle?: boolean }): Promise<void>;
}

export function createAlarm(): Alarm {
  let isRinging = false;
  let wake = () => {};
  return {
    ring() {
      isRinging = true;
      wake();
    },
    async sleep(ms, { isIdle = false } = {}) {
      if (!isRinging) {
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
        if (isIdle) timer?.unref();
        await promise;
        clearTimeout(timer);
      }
      isRinging = false;
    },
  };
}
