import { expect, test } from "vitest";
import { awaitedCpuMs } from "../support/cpu-ms.ts";
import { fuzzRuns } from "../support/fuzz.ts";
import { adapters } from "./adapters.ts";
import { grow, hostileTexts } from "./hostile-texts.ts";
import { reasons } from "./reasons.ts";
import { callerOf, isTested, textFunctions } from "./text-functions.ts";

test("every function that takes text is tested, or says why not", () => {
  const missing = textFunctions.filter((each) => !isTested(each) && !Object.hasOwn(reasons, each.name));
  expect(missing.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  const names = new Set(textFunctions.map(({ name }) => name));
  expect([...Object.keys(adapters), ...Object.keys(reasons)].filter((name) => !names.has(name))).toEqual([]);
});

// Long enough that what is quadratic takes a while, and what is linear next to nothing.
const firstLength = 8000;
const worthMeasuringMs = 25;
const everyNth = fuzzRuns({ sample: 64, full: 1 });

test("the time that a function takes grows at most 2.5 times when its text doubles", async () => {
  const slow: string[] = [];
  for (const [index, each] of textFunctions.filter(isTested).entries()) {
    const run = await callerOf(each);
    const texts = hostileTexts.filter((_, place) => (place + index) % everyNth === 0);
    for (const text of texts) {
      const growth = await growthOf((length) => run(grow(text, length)));
      if (growth > maxGrowth) slow.push(`${each.name} of ${JSON.stringify(text)}: ${growth.toFixed(1)}`);
    }
  }
  expect(slow).toEqual([]);
}, 3_600_000);

const maxGrowth = 2.5 ** 2;

/** How much longer it takes with four times the text; 0 where it takes next to no time. */
async function growthOf(run: (length: number) => Promise<void>): Promise<number> {
  if ((await awaitedCpuMs(() => run(firstLength))) < worthMeasuringMs) return 0;
  const growth = await measureGrowth(run, firstLength);
  // Something else may have been in the way: what is slow is so again, and with a longer text.
  return growth > maxGrowth ? Math.min(growth, await measureGrowth(run, firstLength * 2)) : growth;
}

async function measureGrowth(run: (length: number) => Promise<void>, length: number): Promise<number> {
  const once = await best(() => run(length));
  const longer = await best(() => run(length * 4));
  // Only its first run took long, such as for reading a module.
  return longer < worthMeasuringMs ? 0 : longer / once;
}

async function best(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time += 1) times.push(await awaitedCpuMs(run));
  return Math.min(...times);
}
