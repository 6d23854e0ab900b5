import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ToolError } from "../../../../src/tool/tool-error.ts";

/** Swaps `target` and `other` all the time, in three renames, while the work is done again and again. */
export async function whileSwapping<Answer>(
  root: string,
  { rounds, maxTurns }: { rounds: number; maxTurns: number },
  work: (round: number) => Promise<Answer>,
) {
  const [target, other, spare] = ["target", "other", "spare"].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  let isBusy = true;
  let roundOver = Promise.withResolvers<void>();
  const endRound = () => {
    const { resolve } = roundOver;
    roundOver = Promise.withResolvers();
    resolve();
  };
  const swap = async () => {
    while (isBusy) {
      // What is written while the name is free comes to be there, and goes again.
      await rename(target, spare).catch(() => {});
      await rename(other, target).catch(() => rm(target, { recursive: true, force: true }));
      await rename(spare, other).catch(() => {});
      if (Math.random() < 0.5) {
        // Some work is met by a swap, at any moment of it.
        for (let turn = Math.random() * maxTurns; turn > 0; turn--) await setImmediate();
      } else {
        // Some work finds the same thing from beginning to end, however long it takes.
        for (let count = 0; count < 2 && isBusy; count++) await roundOver.promise;
      }
    }
  };
  const swapping = swap();
  const answers: Answer[] = [];
  let refusals = 0;
  try {
    for (let round = 0; round < rounds; round++) {
      try {
        answers.push(await work(round));
      } catch (error) {
        if (!(error instanceof ToolError)) throw error;
        refusals++;
      }
      endRound();
    }
  } finally {
    isBusy = false;
    endRound();
    await swapping;
  }
  return { answers, refusals };
}
