/** A value, now or later. For functions that seldom wait, so that most calls are not slowed down by a promise. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Whether a promise resolves, where its value and its error do not matter. */
export function isFulfilled(promise: Promise<unknown>): Promise<boolean> {
  return promise.then(
    () => true,
    () => false,
  );
}

/** Whether work ends without an error, where its result and its error do not matter. */
export function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** Whether a promise settles within a time, where its value and its error do not matter. */
export function settlesWithin(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    const settle = () => {
      clearTimeout(timer);
      resolve(true);
    };
    promise.then(settle, settle);
  });
}

/** Goes on with a value: at once, if there is nothing to wait for. */
export function after<Value, Result>(
  value: MaybePromise<Value>,
  next: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Does some work, whose error `fail` handles, whether the work throws it at once or later. */
export function orElse<Result>(
  work: () => MaybePromise<Result>,
  fail: (error: unknown) => Result,
): MaybePromise<Result> {
  try {
    const done = work();
    return done instanceof Promise ? done.catch(fail) : done;
  } catch (error) {
    return fail(error);
  }
}

/** Whether awaiting a value would wait: for a promise, of this or of another library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}
