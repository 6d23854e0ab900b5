import type { MaybePromise } from "../../../shared/maybe-promise.ts";

/** Runs one piece of work at a time, in the order of the calls: at once, if nothing else is running. */
export function createTurns(): <Result>(work: () => MaybePromise<Result>) => MaybePromise<Result> {
  let last: Promise<unknown> | undefined;
  const follow = (running: Promise<unknown>) => {
    const over = () => {
      if (last === settled) last = undefined;
    };
    const settled: Promise<unknown> = running.then(over, over);
    last = settled;
  };
  return (work) => {
    const result = last === undefined ? work() : last.then(work);
    if (result instanceof Promise) follow(result);
    return result;
  };
}
