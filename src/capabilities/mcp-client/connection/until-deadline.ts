import { Deadline } from "../../../shared/deadline.ts";

/** Limits work in time, if there is a limit. Work that is ended rejects with the reason, and its own end is not waited for. */
export async function untilDeadline<Result>(
  { signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number | undefined },
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const deadline = new Deadline(signal);
  if (timeoutMs !== undefined) deadline.start(timeoutMs);
  try {
    return await deadline.race(work(deadline));
  } finally {
    deadline.close();
  }
}
