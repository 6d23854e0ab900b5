import { setTimeout as delay } from "node:timers/promises";

/**
 * Checks a condition again and again until it holds, for conditions that send no event. The test's own time is the
 * limit.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(5);
}
