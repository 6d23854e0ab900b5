import { createRandom } from "./random.ts";
import { wordMutators } from "./rewrite-words.ts";
import { wrapMutators } from "./wrap-command.ts";

const mutators = [...wordMutators, ...wrapMutators];
const maxSteps = 4;

/** A command in other words, one to four steps away; the same for the same seed. */
export function mutate(command: string, seed: number): string {
  const random = createRandom(seed);
  let mutant = command;
  for (let steps = 1 + random.below(maxSteps); steps > 0; steps -= 1) {
    mutant = random.pick(mutators)(mutant, random);
  }
  return mutant;
}
