import { Deadline } from "../../shared/deadline.ts";
import { isoTime } from "../../shared/iso-time.ts";

/** The clock of a call: its deadline, when it began, and how long it has worked. */
export class CallDeadline extends Deadline {
  /** ISO 8601. */
  readonly startedAt = isoTime();
  readonly startedClockMs = performance.now();
  #askedMs = 0;

  /** Milliseconds since it began, without those in which it waited for a person. */
  get workedMs(): number {
    return performance.now() - this.startedClockMs - this.#askedMs;
  }

  /** Measures a wait for a person, which counts neither as the call's duration nor as its running time. */
  async whileAsking<Answer>(answer: Promise<Answer>): Promise<Answer> {
    const sinceMs = performance.now();
    try {
      return await answer;
    } finally {
      this.#askedMs += performance.now() - sinceMs;
    }
  }
}
