import { spentCpuMs } from "./cpu-ms.ts";

/**
 * For how long, at most, work kept everybody else in this thread waiting, in milliseconds of its processor time: by the
 * clock, whatever else the machine is busy with would count too.
 */
async function longestBlockMs(work: () => unknown): Promise<number> {
  let longest = 0;
  let before = spentCpuMs();
  const look = () => {
    const now = spentCpuMs();
    longest = Math.max(longest, now - before);
    before = now;
  };
  const tick = () => {
    look();
    next = setImmediate(tick);
  };
  let next = setImmediate(tick);
  try {
    await work();
  } finally {
    clearImmediate(next);
  }
  look();
  return longest;
}

/** What is slow is so again: otherwise something else was in the way, such as a collection of garbage. */
export async function leastBlockMs(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3 && least > maxBlockMs; round += 1)
    least = Math.min(least, await longestBlockMs(work));
  return least;
}

/** For how long nobody else may have to wait. */
export const maxBlockMs = 200;
