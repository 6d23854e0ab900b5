import fc from "fast-check";
import { onTestFailed } from "vitest";
import { isFullRun } from "./is-full-run.ts";

/**
 * What made-up inputs grow from. The same for every run, which then tells of what was changed and not of its luck; with
 * TOOLWRIGHT_FUZZ=full it is another one each time. TOOLWRIGHT_FUZZ_SEED names one, such as to see a failure again.
 */
export const fuzzSeed = Number(
  process.env.TOOLWRIGHT_FUZZ_SEED ?? (isFullRun ? Math.floor(Math.random() * 2 ** 31) : 1),
);
fc.configureGlobal({ seed: fuzzSeed });

export { fc };

/** How many rounds a fuzz test runs: a sample by default, all of them with TOOLWRIGHT_FUZZ=full. */
export function fuzzRuns({ sample, full }: { sample: number; full: number }): number {
  return isFullRun ? full : sample;
}

/** Which of the cases a long test goes through: enough of them to meet each value once, or with TOOLWRIGHT_FUZZ=full all. */
export function casesOf<Case>({
  sample,
  full,
}: {
  sample: readonly Case[];
  full: readonly Case[];
}): readonly Case[] {
  return isFullRun ? full : sample;
}

/**
 * Numbers from 0 to 1 that grow from the same seed, for a test that lets something happen at any moment. They begin anew
 * with each test, and one that fails says what to see it again with.
 */
export function seededRandom(): () => number {
  onTestFailed(() => console.error(`To see it again: TOOLWRIGHT_FUZZ_SEED=${fuzzSeed}`));
  let state = fuzzSeed;
  // Mulberry32, which every seed serves.
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
