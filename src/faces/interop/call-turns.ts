import { AsyncLocalStorage } from "node:async_hooks";

/** Runs work in order of arrival: concurrency-safe work in parallel, everything else alone. */
export type CallTurns = <Result>(isSafe: boolean, work: () => Promise<Result>) => Promise<Result>;

/** For callers that start all calls of a step at once and leave the ordering to the tools. */
export function createCallTurns(): CallTurns {
  const inside = new AsyncLocalStorage<true>();
  /** Settled when the last call that runs alone has ended. */
  let alone: Promise<unknown> = Promise.resolve();
  /** Calls that started since then. */
  let together = new Set<Promise<unknown>>();
  return (isSafe, work) => {
    // A call made within another would wait for the call that waits for it.
    if (inside.getStore()) return work();
    const enter = () => inside.run(true, work);
    if (isSafe) {
      const result = alone.then(enter);
      keepUntilEnded(together, result);
      return result;
    }
    const result = Promise.all([alone, ...together]).then(enter);
    alone = result.catch(() => {});
    together = new Set();
    return result;
  };
}

function keepUntilEnded(running: Set<Promise<unknown>>, result: Promise<unknown>): void {
  const ended: Promise<unknown> = result.catch(() => {}).then(() => running.delete(ended));
  running.add(ended);
}
