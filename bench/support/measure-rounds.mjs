import { setImmediate as nextTurn } from "node:timers/promises";
import { summarize } from "./statistics.mjs";

/**
 * Times candidates in alternating rounds, so that a busy moment of the machine affects all of them.
 * Rounds are short and many, so that some run while the machine does nothing else.
 * A candidate is `{ name, run, operations }`: `run` does that many operations. Returns microseconds per operation, by the
 * clock or, where `clock` is `processorMs`, of the processor: what others do on the machine matters less to that.
 * At the smallest size there are few rounds, of one run each.
 */
export async function measureRounds(
  candidates,
  { size, rounds = 100, roundMs = 10, warmUpMs = 300, clock = wallMs },
) {
  const pace = size === "smallest" ? smallestPace : { rounds, roundMs, warmUpMs };
  const timed = [];
  for (const candidate of candidates) {
    timed.push({ ...candidate, repeats: await warmUp(candidate.run, pace), samples: [] });
  }
  for (let round = 0; round < pace.rounds; round++) {
    for (const { run, operations, repeats, samples } of timed) {
      const elapsedMs = await time(run, repeats, clock);
      samples.push((elapsedMs * 1000) / (repeats * operations));
    }
  }
  return new Map(timed.map(({ name, samples }) => [name, summarize(samples)]));
}

// As many rounds as show what happens to a call that is repeated: it may be taken for a loop.
const smallestPace = { rounds: 6, roundMs: 0, warmUpMs: 0 };

/** Runs until the code is compiled; returns how many repeats fill a round. */
async function warmUp(run, { roundMs, warmUpMs }) {
  let repeats = 1;
  for (let spentMs = 0; spentMs < warmUpMs; ) {
    const elapsedMs = await time(run, repeats, wallMs);
    spentMs += elapsedMs;
    repeats = Math.max(1, Math.min(Math.round((repeats * roundMs) / elapsedMs), repeats * 4));
  }
  return repeats;
}

/** The time that this process has used the processor for. */
export function processorMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The time that has passed. */
export function wallMs() {
  return performance.now();
}

async function time(run, repeats, clock) {
  const startedAt = clock();
  for (let repeat = 0; repeat < repeats; repeat++) await run();
  // Work that a candidate has deferred counts towards its own time, not the next candidate's.
  await nextTurn();
  return clock() - startedAt;
}
