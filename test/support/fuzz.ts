import fc from "fast-check";

const isFull = process.env.TOOLWRIGHT_FUZZ === "full";

/**
 * What made-up inputs grow from. The same for every run, which then tells of what was changed and not of its luck; with
 * TOOLWRIGHT_FUZZ=full it is another one each time. TOOLWRIGHT_FUZZ_SEED names one, such as to see a failure again.
 */
export const fuzzSeed = Number(
  process.env.TOOLWRIGHT_FUZZ_SEED ?? (isFull ? Math.floor(Math.random() * 2 ** 31) : 1),
);
fc.configureGlobal({ seed: fuzzSeed });

export { fc };

/** How many rounds a fuzz test runs: a sample by default, all of them with TOOLWRIGHT_FUZZ=full. */
export function fuzzRuns({ sample, full }: { sample: number; full: number }): number {
  return isFull ? full : sample;
}
