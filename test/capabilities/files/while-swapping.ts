import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { ToolError } from "../../../src/tool/tool-error.ts";
import { seededRandom } from "../../support/fuzz.ts";

/** Keeps swapping `target` and `other`, in three renames, while the work is repeated. */
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
  const random = seededRandom();
  let isBusy = true;
  let roundOver = Promise.withResolvers<void>();
  const endRound = () => {
    const { resolve } = roundOver;
    roundOver = Promise.withResolvers();
    resolve();
  };
  const swap = async () => {
    while (isBusy) {
      // Removes what was written while the name was free.
      await rename(target, spare).catch(() => {});
      await rename(other, target).catch(() => rm(target, { recursive: true, force: true }));
      await rename(spare, other).catch(() => {});
      if (random() < 0.5) {
        // Some rounds are hit by a swap at a random moment.
        for (let turn = random() * maxTurns; turn > 0; turn--) await setImmediate();
      } else {
        // Other rounds see no swap from start to end, however long they take.
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
