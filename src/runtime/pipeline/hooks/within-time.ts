import { Deadline } from "../../../shared/deadline.ts";
import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import type { Call } from "../call.ts";

/**
 * Bounds what is waited for besides the tool itself, such as a hook: it gets as long as a tool does by default.
 * What answers at once costs no timer.
 */
export function withinTime<Result>(
  call: Call,
  work: (deadline: Deadline) => MaybePromise<Result>,
): MaybePromise<Result> {
  // The caller may give up on it too; that the tool's own time is up is no reason, since some of it comes after.
  const deadline = new Deadline(call.request.signal);
  const result = work(deadline);
  if (result instanceof Promise) return race(call, deadline, result);
  deadline.close();
  return result;
}

async function race<Result>(call: Call, deadline: Deadline, work: Promise<Result>): Promise<Result> {
  const { openCalls, defaultTimeoutMs } = call.host;
  deadline.start(defaultTimeoutMs);
  openCalls.add(deadline);
  try {
    return await deadline.race(work);
  } finally {
    openCalls.delete(deadline);
    deadline.close();
  }
}
