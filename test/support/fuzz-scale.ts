/** How many rounds a fuzz test runs: a sample by default, all of them with TOOLWRIGHT_FUZZ=full. */
export function fuzzRuns({ sample, full }: { sample: number; full: number }): number {
  return process.env.TOOLWRIGHT_FUZZ === "full" ? full : sample;
}
