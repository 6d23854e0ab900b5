import { Deadline } from "../../../shared/deadline.ts";
import { isThenable, type MaybePromise } from "../../../shared/maybe-promise.ts";
import type { Call } from "../call.ts";

/**
 * Gives work other than the tool itself, such as a hook, the default timeout of a tool.
 * Work that returns without a promise needs no timer.
 */
export function withinTime<Result>(
  call: Call,
  work: (deadline: Deadline) => MaybePromise<Result>,
): MaybePromise<Result> {
  // The caller can cancel it too. The call's own deadline does not apply: some of this work comes after the tool.
  const deadline = new Deadline(call.request.signal);
  const result = work(deadline);
  // Also a promise of another library, which might never settle.
  if (isThenable(result)) return race(call, deadline, Promise.resolve(result));
  deadline.close();
  return result;
}

async function race<Result>(call: Call, deadline: Deadline, work: Promise<Result>): Promise<Result> {
  const { openCalls, defaultTimeoutMs } = call.host.run;
  deadline.start(defaultTimeoutMs);
  openCalls.add(deadline);
  try {
    return await deadline.race(work);
  } finally {
    openCalls.delete(deadline);
    deadline.close();
  }
}
