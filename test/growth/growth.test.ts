import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { projectFolder } from "../architecture/project-files.ts";
import { awaitedCpuMs } from "../support/cpu-ms.ts";
import { fuzzRuns } from "../support/fuzz.ts";
import { adapters } from "./adapters.ts";
import { findTextFunctions, type TextFunction } from "./exported-functions.ts";
import { grow, hostileTexts } from "./hostile-texts.ts";
import { folderReasons, reasons } from "./reasons.ts";

/** Whatever reads text that somebody else wrote: a model, a repository, a web page, a server. */
const folders = [
  "interop/streams",
  "mcp/client/approval",
  "mcp/client/call",
  "runtime/policy/commands",
  "runtime/policy/hosts",
  "runtime/policy/rules",
  "runtime/services/databases",
  "runtime/services/files/diff",
  "runtime/services/files/edit",
  "runtime/services/files/encoding",
  "runtime/services/files/fit",
  "runtime/services/files/patch",
  "runtime/services/search",
  "runtime/services/web",
  "runtime/shell-syntax",
  "runtime/tool-search",
  "shared",
  "tool",
];

const functions = (await Promise.all(folders.map(findTextFunctions)))
  .flat()
  .filter(({ file }) => !Object.keys(folderReasons).some((folder) => file.startsWith(folder)));
const isTested = ({ name, takesTextAlone }: TextFunction) =>
  (takesTextAlone && !Object.hasOwn(reasons, name)) || Object.hasOwn(adapters, name);

test("every function that takes text is tested, or says why not", () => {
  const missing = functions.filter((each) => !isTested(each) && !Object.hasOwn(reasons, each.name));
  expect(missing.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
  const names = new Set(functions.map(({ name }) => name));
  expect([...Object.keys(adapters), ...Object.keys(reasons)].filter((name) => !names.has(name))).toEqual([]);
});

// Long enough that what is quadratic takes a while, and what is linear next to nothing.
const firstLength = 8000;
const worthMeasuringMs = 25;
const everyNth = fuzzRuns({ sample: 32, full: 1 });

test("the time that a function takes grows at most 2.5 times when its text doubles", async () => {
  const slow: string[] = [];
  for (const [index, each] of functions.filter(isTested).entries()) {
    const module = (await import(pathToFileURL(join(projectFolder, "src", each.file)).href)) as Module;
    const call = module[each.name]!;
    const adapter = adapters[each.name] ?? ((run, text) => run(text));
    const run = (text: string) => attempt(() => adapter(call, text));
    const texts = hostileTexts.filter((_, place) => (place + index) % everyNth === 0);
    for (const text of texts) {
      const growth = await growthOf((length) => run(grow(text, length)));
      if (growth > maxGrowth) slow.push(`${each.name} of ${JSON.stringify(text)}: ${growth.toFixed(1)}`);
    }
  }
  expect(slow).toEqual([]);
}, 3_600_000);

const maxGrowth = 2.5 ** 2;

type Module = Readonly<Record<string, (...values: unknown[]) => unknown>>;

/** How much longer it takes with four times the text; 0 where it takes next to no time. */
async function growthOf(run: (length: number) => Promise<void>): Promise<number> {
  if ((await awaitedCpuMs(() => run(firstLength))) < worthMeasuringMs) return 0;
  const growth = await measureGrowth(run, firstLength);
  // Something else may have been in the way: what is slow is so again, and with a longer text.
  return growth > maxGrowth ? Math.min(growth, await measureGrowth(run, firstLength * 2)) : growth;
}

async function measureGrowth(run: (length: number) => Promise<void>, length: number): Promise<number> {
  const once = await best(() => run(length));
  return (await best(() => run(length * 4))) / once;
}

async function best(run: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < 3; time += 1) times.push(await awaitedCpuMs(run));
  return Math.min(...times);
}

/** A refusal is an answer too. */
async function attempt(run: () => unknown): Promise<void> {
  try {
    const answer = run();
    if (answer instanceof Promise) await answer;
    if (Array.isArray(answer)) await Promise.allSettled(answer);
  } catch {
    // Only the time that it took counts.
  }
}
