import { expect, test } from "vitest";
import { awaitedCpuMs } from "../support/cpu-ms.ts";
import { fuzzRuns } from "../support/fuzz.ts";
import { grow, hostileTexts } from "./hostile-texts.ts";
import { callerOf, isTested, textFunctions } from "./text-functions.ts";

// Long enough that what is quadratic takes a while, and what is linear next to nothing.
const firstLength = 8000;

// A search by the processor's widest instructions is quick enough not to be noticed there, though it be quadratic.
const secondLength = fuzzRuns({ sample: firstLength, full: firstLength * 4 });

const worthMeasuringMs = 25;

const everyNth = fuzzRuns({ sample: 64, full: 1 });

/** Then there is no need to find more. */
const enoughTexts = 3;

test("the time that a function takes grows at most 2.5 times when its text doubles", async () => {
  const slow: string[] = [];
  for (const [index, each] of textFunctions.filter(isTested).entries()) {
    const run = await callerOf(each);
    const texts = hostileTexts.filter((_, place) => (place + index) % everyNth === 0);
    const found: string[] = [];
    for (const text of texts) {
      if (found.length === enoughTexts) break;
      const growth = await growthOf((length) => run(grow(text, length)));
      if (growth > maxGrowth) found.push(`${each.name} of ${JSON.stringify(text)}: ${growth.toFixed(1)}`);
    }
    slow.push(...found);
  }
  expect(slow).toEqual([]);
}, 3_600_000);

const maxGrowth = 2.5 ** 2;

/** For a text of 8,000 characters, whatever it would take for a longer one: that would be waited for in vain. */
const hopelessMs = 1000;

/** How much longer it takes with four times the text; 0 where it takes next to no time. */
async function growthOf(run: (length: number) => Promise<void>): Promise<number> {
  let before = 0;
  for (const length of new Set([firstLength, secondLength])) {
    const ms = await awaitedCpuMs(() => run(length));
    if (length === firstLength && ms > hopelessMs) return Number.POSITIVE_INFINITY;
    // The second is four times as long as the first.
    if (ms < worthMeasuringMs || ms < before * maxGrowth) {
      before = ms;
      continue;
    }
    const growth = await measureGrowth(run, length);
    // Something else may have been in the way: what is slow is so again, and with a longer text.
    return growth > maxGrowth ? Math.min(growth, await measureGrowth(run, length * 2)) : growth;
  }
  return 0;
}

async function measureGrowth(run: (length: number) => Promise<void>, length: number): Promise<number> {
  const once = await leastMs(() => run(length));
  const longer = await leastMs(() => run(length * 4), once * maxGrowth);
  // Only its first run took long, such as for reading a module.
  return longer < worthMeasuringMs ? 0 : longer / once;
}

/** Of up to three runs, as few as show that it is no longer than that. */
async function leastMs(run: () => Promise<void>, enough = 0): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time < 3 && least > enough; time += 1) least = Math.min(least, await awaitedCpuMs(run));
  return least;
}
