import { Deadline, DeadlineReached } from "../../shared/deadline.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";

/** Waits for the code of a tool or a plugin to load, start or stop, but not for ever: the others do not depend on it. */
export async function withinLoadTime<Result>(work: () => MaybePromise<Result>): Promise<Result> {
  const deadline = new Deadline();
  // Also keeps a process alive in which nothing else happens; Node would end it, and say nothing of the code.
  deadline.start(maxLoadMs);
  try {
    return await deadline.race(Promise.resolve(work()));
  } catch (error) {
    if (!(error instanceof DeadlineReached)) throw error;
    throw new Error(
      `it did not end within ${maxLoadMs / 1000} s; does it wait for something that never comes?`,
    );
  } finally {
    deadline.close();
  }
}

// Enough for code that connects somewhere or is compiled first.
export const maxLoadMs = 30_000;
