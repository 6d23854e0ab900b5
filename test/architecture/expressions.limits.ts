import { expect, test } from "vitest";
import { cpuMs } from "../support/cpu-ms.ts";
import { casesOf } from "../support/fuzz.ts";
import { attacksOn } from "./expression-attacks.ts";
import { expressions, looksSlow } from "./expression-reasons.ts";

/** Expressions that take more than linear time, and why their texts are short. */
const limited: Readonly<Record<string, string>> = {
  "kernel/policy/rules/path-matcher.ts: /(?:\\/\\*\\*)+$/":
    "used on a pattern, which has at most 4,096 characters",
  "kernel/policy/rules/path-readings.ts: /^(.+?)(?:\\/\\*\\*)+\\/\\*$/s":
    "used on a pattern, which has at most 4,096 characters",
};

test("no expression takes more than linear time for a text that is made against it", async () => {
  const files = await expressions;
  const literals = files.flatMap(({ file, literals: found }) =>
    found.map(({ pattern, flags }) => [`${file}: /${pattern}/${flags}`, new RegExp(pattern, flags)] as const),
  );
  const slow = [...new Map(literals)].filter(
    ([name, expression]) => !Object.hasOwn(looksSlow, name) && !isKnown(name) && isSlow(expression),
  );
  expect(slow.map(([name]) => name)).toEqual(Object.keys(limited).filter((name) => !isKnown(name)));
  const examples = { sample: [/could not open .*\/trees\//], full: [/\$\{a(?::-[^}]*)?\}/] };
  for (const example of casesOf(examples)) expect(isSlow(example)).toBe(true);
  expect([/^could not open .*\/trees\//, /"[^"]*"/].map(isSlow)).toEqual([false, false]);
}, 120_000);

/** Measuring what is slow takes longest, so that those which are listed are measured in full runs only. */
function isKnown(name: string): boolean {
  return casesOf({ sample: Object.keys(limited), full: [] }).includes(name);
}

function isSlow(expression: RegExp): boolean {
  return attacksOn(expression).some((unit) =>
    ["", "\u0001"].some((end) => growsTooFast(expression, unit, end)),
  );
}

/**
 * Its time grows by far more than three times with three times the text; a time that is only long would say more about
 * the machine. Some systems count processor time in steps of 4 ms, beside which only a long time says anything.
 */
function growsTooFast(expression: RegExp, unit: string, end: string): boolean {
  const msFor = (length: number) => {
    const text = unit.repeat(length / unit.length) + end;
    return cpuMs(() => void text.replace(new RegExp(expression, expression.flags), ""));
  };
  // Never mind how fast it grows.
  if (leastOf(() => msFor(2000), hopelessMs) > hopelessMs) return true;
  // What is quadratic takes longer, however often it is run.
  if (leastOf(() => msFor(16_000), unnoticedMs) <= unnoticedMs) return false;
  let length = 4000;
  let ms = leastOf(() => msFor(length));
  while (ms < worthMeasuringMs && length < maxLength) {
    length *= 2;
    ms = leastOf(() => msFor(length));
  }
  const most = ms * maxGrowth;
  return ms >= worthMeasuringMs && leastOf(() => msFor(length * 3), most) > most;
}

/** Of two runs, or one if that is no longer: the other was held up by something else. */
function leastOf(measure: () => number, enough = 0): number {
  const ms = measure();
  return ms > enough ? Math.min(ms, measure()) : ms;
}

const hopelessMs = 100;

const unnoticedMs = 2;

const worthMeasuringMs = 12;

/** What takes next to no time for so long a text is not quadratic. */
const maxLength = 128_000;

/** Linear would be 3 times, quadratic 9 times. */
const maxGrowth = 5;
