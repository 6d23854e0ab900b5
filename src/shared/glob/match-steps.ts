/** Among steps, stands for any number of what they take: characters of a name, folders of a path. */
export const anyNumber = Symbol("*");

/**
 * Whether the steps, one after the other, take up all of a text of this length. `take` tells how much of it a step takes at
 * a place, 0 where it does not match. Only the last star is ever tried again, so that the time is at most steps × length:
 * there is no pattern to hang on.
 */
export function matchSteps<Step>(
  steps: readonly (Step | typeof anyNumber)[],
  length: number,
  take: (step: Step, at: number) => number,
): boolean {
  let step = 0;
  let at = 0;
  let star: { step: number; at: number } | undefined;
  while (at < length || step < steps.length) {
    const current = steps[step];
    if (current === anyNumber) {
      step += 1;
      star = { step, at };
      continue;
    }
    const taken = current === undefined || at >= length ? 0 : take(current, at);
    if (taken > 0) {
      step += 1;
      at += taken;
      continue;
    }
    if (star === undefined || star.at >= length) return false;
    star.at += 1;
    step = star.step;
    at = star.at;
  }
  return true;
}
