/** A step that takes any number of items: characters of a name, or folders of a path. */
export const anyNumber = Symbol("*");

/**
 * Whether the steps, one after the other, match all of a text of this length. `take` returns how much a step takes at a
 * position, or 0 if it does not match. Backtracks only to the last star, so that the time is at most steps × length, and
 * no pattern can hang it.
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
