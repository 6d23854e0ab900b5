import { onTestFinished, vi } from "vitest";

/** From here to the test's end, no time passes but what `vi.advanceTimersByTimeAsync` lets pass. */
export function stopClock(): void {
  // The rest is how Node itself goes on from one turn to the next.
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  onTestFinished(() => void vi.useRealTimers());
}
