/** The longest delay that a timer accepts; a longer one would fire immediately. */
export const maxDelayMs = 2 ** 31 - 1;

/** A deadline ended the work because its time was up. */
export class DeadlineReached extends Error {
  override readonly name = "TimeoutError";
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** A deadline ended the work because the caller cancelled it. */
export class CallerGaveUp extends Error {
  override readonly name = "AbortError";

  constructor(reason: unknown) {
    super(reason instanceof Error ? reason.message : "the caller gave up", { cause: reason });
  }
}

/**
 * The one way to limit work in time: a clock, a signal, and a race that late work cannot win.
 * Every call has one, so parts that most calls never use, such as the signal, are created on first use.
 */
export class Deadline {
  readonly #parent: AbortSignal | undefined;
  #controller: AbortController | undefined;
  #reason: DeadlineReached | CallerGaveUp | undefined;
  #onEnd: ((reason: unknown) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #limitMs = Number.POSITIVE_INFINITY;
  #remainingMs = Number.POSITIVE_INFINITY;
  #at = Number.POSITIVE_INFINITY;
  #pauses = 0;

  constructor(parent?: AbortSignal) {
    this.#parent = parent;
    if (parent?.aborted) this.cancel(parent.reason);
    else parent?.addEventListener("abort", this.#onParentAbort, { once: true });
  }

  /** Aborted when the time is up or the caller cancels. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    return this.#controller.signal;
  }

  /** Why the deadline ended the work, if it did. */
  get reason(): DeadlineReached | CallerGaveUp | undefined {
    return this.#reason;
  }

  /** Milliseconds since the epoch. Moves by the time that the clock was paused; infinite before it is started. */
  get at(): number {
    return this.#at;
  }

  /** Starts the clock. Before that, only the caller can end the work. */
  start(timeoutMs: number): void {
    this.#limitMs = timeoutMs;
    this.#remainingMs = timeoutMs;
    this.#startTimer();
  }

  /** Stops the clock while the work waits for something else, such as a person. */
  pause(): void {
    this.#pauses += 1;
    if (this.#pauses > 1) return;
    clearTimeout(this.#timer);
    this.#remainingMs = Math.max(0, this.#at - Date.now());
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0 && this.#reason === undefined) this.#startTimer();
  }

  cancel(reason: unknown): void {
    this.#endWork(new CallerGaveUp(reason));
  }

  /** The work's result, or a rejection as soon as the deadline ends it. One race at a time. */
  race<Result>(work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#onEnd = reject;
      work.then(resolve, reject);
      if (this.#reason !== undefined) reject(this.#reason);
    });
  }

  /** Stops the clock and stops listening to the parent. */
  close(): void {
    clearTimeout(this.#timer);
    // A later `resume` must not start a timer.
    this.#remainingMs = Number.POSITIVE_INFINITY;
    this.#parent?.removeEventListener("abort", this.#onParentAbort);
  }

  #startTimer(): void {
    if (this.#remainingMs === Number.POSITIVE_INFINITY) return;
    this.#at = Date.now() + this.#remainingMs;
    const expire = () => this.#endWork(new DeadlineReached(this.#limitMs));
    this.#timer = setTimeout(expire, Math.min(this.#remainingMs, maxDelayMs));
  }

  #endWork(reason: DeadlineReached | CallerGaveUp): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    clearTimeout(this.#timer);
    this.#controller?.abort(reason);
    this.#onEnd?.(reason);
  }

  readonly #onParentAbort = () => this.cancel(this.#parent?.reason);
}

/** Does work with a deadline of this time, which ends with the work. Rejects late work only if the work races with it. */
export async function withDeadline<Result>(
  timeoutMs: number,
  parent: AbortSignal | undefined,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const deadline = new Deadline(parent);
  deadline.start(timeoutMs);
  try {
    return await work(deadline);
  } finally {
    deadline.close();
  }
}
