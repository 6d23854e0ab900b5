/** A value, now or later. For functions that seldom wait, so that most calls are not slowed down by a promise. */
export type MaybePromise<Value> = Value | Promise<Value>;
