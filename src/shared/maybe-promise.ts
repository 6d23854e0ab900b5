/** A value, now or later. For functions that seldom wait, so that most calls are not slowed down by a promise. */
export type MaybePromise<Value> = Value | Promise<Value>;

/** Whether awaiting a value would wait: for a promise, of this or of another library. */
export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function";
}
