/** Lets a loop sleep until there is something to do. */
export function createAlarm() {
  let isRinging = false;
  let wake = () => {};
  return {
    /** Ends the sleep, or the next one if the loop is awake. */
    ring(): void {
      isRinging = true;
      wake();
    },
    /**
     * Sleeps at most for `ms`; without it, until the alarm rings. With `isIdle`, this does not keep the process alive.
     */
    async sleep(ms?: number, { isIdle = false } = {}): Promise<void> {
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
