/** A value, now or later. Stages that seldom wait return it, so that a plain call is not slowed by waits it has no need of. */
export type MaybePromise<Value> = Value | Promise<Value>;
