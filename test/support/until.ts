import { setTimeout as delay } from "node:timers/promises";

/** Waits until something holds that tells nobody when it does; the test's own time is the limit. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await delay(5);
}
