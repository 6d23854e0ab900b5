import { expect } from "vitest";
import { fuzzRuns, fuzzSeed } from "../../support/fuzz.ts";
import { needs } from "../../support/needs.ts";
import { listCommits, readCommit } from "../../support/replay/history.ts";
import { replay, type Tally } from "../../support/replay/replay.ts";

// Another repository's history: TOOLWRIGHT_REPLAY=/path/to/repository
const repository = process.env.TOOLWRIGHT_REPLAY ?? new URL("../../..", import.meta.url).pathname;
const minHunks = 40;

const hunks = await sampleHunks(fuzzRuns({ sample: 50, full: 100_000 }));
const testReplay = await needs(() =>
  hunks.length < minHunks ? "this copy of the project has no history to make again" : undefined,
);

testReplay(
  "real changes, written as models write them, come out as they were meant or not at all",
  {
    timeout: 1_800_000,
  },
  async () => {
    const { edits, patches } = replay(hunks);
    const all = [...edits, ...patches];
    const wrong = all.filter(({ wrongCount }) => wrongCount > 0);
    expect(wrong.map(({ name, wrong }) => `${name}: ${wrong.join(", ")}`)).toEqual([]);
    const plain = all.filter(({ isPlain }) => isPlain);
    expect(plain.filter(({ name }) => !Object.values(kinds).some((kind) => kind.test(name)))).toEqual([]);
    const shares = Object.entries(kinds).map(([kind, names]) => ({
      kind,
      share: rightShare(plain.filter(({ name }) => names.test(name))),
    }));
    expect(shares.filter(({ share }) => share < 0.98)).toEqual([]);
    // One of a kind may be somewhat below the others, and more so in a small sample, which each commit changes.
    const poor = plain.filter((tally) => rightShare([tally]) < (hunks.length < 1000 ? 0.9 : 0.97));
    expect(poor.map(({ name, refusals }) => `${name}: ${refusals.join(", ")}`)).toEqual([]);
    // What has to be refused is, or counts as wrong.
    expect(all.filter(({ right, refused }) => right + refused === 0)).toEqual([]);
  },
);

/** What is distorted, by the names of the distortions. */
const kinds: Readonly<Record<string, RegExp>> = {
  nothing: /stands|blank line/,
  indentation: /indentation|deeper|short/,
  "line endings": /CRLF/,
  "trailing space": /space/,
  quotes: /quotes/,
  tabs: /tabs/,
  "unmarked context": /mark/,
  headings: /heading/,
};

/** A few percent are refused; of a small sample one may be more than two percent. */
function rightShare(tallies: readonly Tally[]): number {
  const sum = (count: (tally: Tally) => number) => tallies.reduce((total, tally) => total + count(tally), 0);
  const made = sum(({ right, refused, wrongCount }) => right + refused + wrongCount);
  return Math.min(1, sum(({ right }) => right + 2) / made);
}

async function sampleHunks(max: number) {
  const commits = await listCommits(repository);
  const stride = Math.max(1, Math.floor(commits.length / 60));
  const step = max > 10_000 ? 1 : stride;
  const [maxFiles, maxInFile] = step === 1 ? [Infinity, Infinity] : [10, 3];
  const hunks = [];
  for (let index = fuzzSeed % step; index < commits.length && hunks.length < max; index += step) {
    for (const { hunks: found } of await readCommit(repository, commits[index]!, { maxFiles }))
      hunks.push(...found.slice(0, maxInFile));
  }
  return hunks.slice(0, max);
}
