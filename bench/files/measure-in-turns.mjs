import { measureRounds } from "../support/measure-rounds.mjs";

/** Times candidates `{ name, run }` that take long enough to be timed one run at a time. Returns milliseconds. */
export async function measureInTurns(candidates, { size, rounds }) {
  const times = await measureRounds(
    candidates.map((candidate) => ({ ...candidate, operations: 1 })),
    { size, rounds, roundMs: 1 },
  );
  return new Map(
    [...times].map(([name, { best, median }]) => [name, { best: best / 1000, median: median / 1000 }]),
  );
}
