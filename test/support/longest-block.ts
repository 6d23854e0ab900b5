import { spentCpuMs } from "./cpu-ms.ts";

/** How work kept everybody else in this thread waiting. */
interface Blocks {
  /** The longest time without a turn for others. */
  readonly longestMs: number;
  /** All such times together that were longer than others notice. */
  readonly noticedMs: number;
}

/**
 * In milliseconds of this thread's processor time: by the clock, whatever else the machine is busy with would count too.
 */
async function measureBlocks(work: () => unknown): Promise<Blocks> {
  let longestMs = 0;
  let noticedMs = 0;
  let before = spentCpuMs();
  const look = () => {
    const now = spentCpuMs();
    const ms = now - before;
    longestMs = Math.max(longestMs, ms);
    if (ms > noticedBlockMs) noticedMs += ms;
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
  return { longestMs, noticedMs };
}

/** What is slow is so again: otherwise something else was in the way, such as a collection of garbage. */
export async function leastBlocks(work: () => unknown, maxNoticed = maxNoticedMs): Promise<Blocks> {
  let least: Blocks = { longestMs: Number.POSITIVE_INFINITY, noticedMs: Number.POSITIVE_INFINITY };
  const isTooLong = () => least.longestMs > maxBlockMs || least.noticedMs > maxNoticed;
  for (let round = 0; round < 3 && isTooLong(); round += 1) {
    const found = await measureBlocks(work);
    least = {
      longestMs: Math.min(least.longestMs, found.longestMs),
      noticedMs: Math.min(least.noticedMs, found.noticedMs),
    };
  }
  return least;
}

export async function leastBlockMs(work: () => unknown): Promise<number> {
  return (await leastBlocks(work)).longestMs;
}

/** For how long nobody else may have to wait. */
export const maxBlockMs = 200;
/** All times together that others noticed, for the longest inputs: reading a file of 50 MB among them. */
export const maxNoticedMs = 500;
/** What takes longer than that has to let others have their turn, or to be done elsewhere. */
const noticedBlockMs = 50;
