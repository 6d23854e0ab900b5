/** Why a deadline's signal was aborted: time was up. */
export class DeadlineReached extends Error {
  override readonly name = "TimeoutError";
  readonly timeoutMs: number;

  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`);
    this.timeoutMs = timeoutMs;
  }
}

/** Why a deadline's signal was aborted: whoever asked does not want the answer any more. */
export class CallerGaveUp extends Error {
  override readonly name = "AbortError";

  constructor(reason: unknown) {
    super(reason instanceof Error ? reason.message : "the caller gave up", { cause: reason });
  }
}

export interface Deadline {
  /** Aborted when time is up or one of the parents was aborted. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch; moves when the clock was paused, infinite before it was started. */
  readonly at: number;
  /** Starts the clock; before that, only the parents can end the work. */
  start(timeoutMs: number): void;
  /** The work's result, or a rejection as soon as the signal is aborted, whatever the work does. */
  race<Result>(work: Promise<Result>): Promise<Result>;
  /** Stops the clock while something else than the work is waited for, such as a person. */
  pause(): void;
  resume(): void;
  end(): void;
}

// The longest delay a timer takes; a longer one would fire at once.
const maxDelayMs = 2 ** 31 - 1;

/** The one way to bound work in time: one timer, one signal, both gone when the work ends. */
export function createDeadline(parents: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  let limitMs = Number.POSITIVE_INFINITY;
  let remainingMs = Number.POSITIVE_INFINITY;
  let at = Number.POSITIVE_INFINITY;
  let pauses = 0;
  let timer: NodeJS.Timeout | undefined;
  const startTimer = () => {
    if (remainingMs === Number.POSITIVE_INFINITY) return;
    at = Date.now() + remainingMs;
    timer = setTimeout(
      () => controller.abort(new DeadlineReached(limitMs)),
      Math.min(remainingMs, maxDelayMs),
    );
  };
  const giveUp = (event: { target: unknown }) =>
    controller.abort(new CallerGaveUp((event.target as AbortSignal).reason));
  for (const parent of parents) {
    if (parent?.aborted) giveUp({ target: parent });
    else parent?.addEventListener("abort", giveUp, { once: true });
  }

  return {
    signal: controller.signal,
    get at() {
      return at;
    },
    start(timeoutMs) {
      limitMs = timeoutMs;
      remainingMs = timeoutMs;
      startTimer();
    },
    race: (work) => raceWithSignal(work, controller.signal),
    pause() {
      pauses += 1;
      if (pauses > 1) return;
      clearTimeout(timer);
      remainingMs = Math.max(0, at - Date.now());
    },
    resume() {
      pauses -= 1;
      if (pauses === 0 && !controller.signal.aborted) startTimer();
    },
    end() {
      clearTimeout(timer);
      for (const parent of parents) parent?.removeEventListener("abort", giveUp);
    },
  };
}

/** Settles with the work, or rejects with the signal's reason as soon as it is aborted. */
export function raceWithSignal<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) {
      // The work may still fail later; that must not become an unhandled rejection.
      work.catch(() => {});
      onAbort();
      return;
    }
    signal.addEventListener("abort", onAbort, { once: true });
    const stopListening = () => signal.removeEventListener("abort", onAbort);
    work.then(
      (result) => {
        stopListening();
        resolve(result);
      },
      (error: unknown) => {
        stopListening();
        reject(error);
      },
    );
  });
}
