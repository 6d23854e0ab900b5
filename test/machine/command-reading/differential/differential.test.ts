import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import { fuzzSeed } from "../../../support/fuzz.ts";
import { isFullRun } from "../../../support/is-full-run.ts";
import { needs } from "../../../support/needs.ts";
import { temporaryFolder } from "../../../support/open-test-session.ts";
import { createRandom } from "../fuzz/random.ts";
import { type Failure, runCampaign } from "./campaign.ts";
import { campaignParts } from "./campaign-parts.ts";
import { listPrograms, type TriedProgram } from "./list-programs.ts";
import { type Piece, readPieces } from "./long-run.ts";
import { openGround, surroundingsOf } from "./open-ground.ts";
import { plantOddNames, plantWorld } from "./plant-world.ts";
import { findTracingProblem } from "./run-traced.ts";
import { learnUsualDeeds } from "./usual-deeds.ts";

const tracing = ["bubblewrap", "strace", findTracingProblem] as const;
const testSample = await needs(...tracing, findLongRun);

const single = process.env.TOOLWRIGHT_DIFFERENTIAL;

const usualFor = learnUsualDeeds();
let listed: Promise<TriedProgram[]> | undefined;

for (const { title, mode, kind, verdicts, runs, isTried, isWanted } of campaignParts) {
  testSample(title, async () => {
    const world = await plantWorld(kind);
    onTestFinished(() => world.remove());
    listed ??= selectPrograms();
    const programs = (await listed).filter(({ call }) => isTried(call));
    // Not where the folder is made anew for each command.
    if (mode !== "edit") await plantOddNames(world.work, programs);
    const ground = await openGround(world, mode, usualFor);
    onTestFinished(() => ground.close());
    if (single !== undefined) return explainOne(single);
    const result = await runCampaign({
      ground,
      programs,
      seed: fuzzSeed,
      verdicts: verdicts.sample,
      runs: runs.sample,
      ...(isWanted && { isWanted }),
    });
    expect(result.failures.map(describeFailure), `begun with TOOLWRIGHT_FUZZ_SEED=${fuzzSeed}`).toEqual([]);
    // In a hostile repository it is right to ask about everything.
    if (kind === "plain") expect(result.ran).toBeGreaterThan(0);

    async function explainOne(command: string): Promise<void> {
      const [verdict] = await ground.verdicts([command]);
      const [run] = await ground.run([command]);
      const surprises = await ground.surprises({ command, verdict: verdict! }, run!);
      console.info(
        JSON.stringify(
          { command, mode, kind, verdict, deeds: run!.deeds, surprises, output: run!.output },
          null,
          1,
        ),
      );
    }
  });
}

/** A verdict must not depend on whose programs there are, so commands also run by these. */
const otherPrograms = [
  { name: "gawk", calls: ["awk"] },
  { name: "busybox", calls: ["awk", "sed", "sort", "find", "wc"] },
] as const;

for (const { name, calls } of otherPrograms) {
  const testOthers = await needs(...tracing, name, findLongRun);
  testOthers(`an allowed command does no more where ${name} runs it`, async () => {
    const world = await plantWorld("plain");
    onTestFinished(() => world.remove());
    const ground = await openGround(world, "readonly", usualFor);
    onTestFinished(() => ground.close());
    // What is installed as awk has no set of its own.
    const used = ground.implementations.has(name) ? name : "installed";
    const implementations = new Map([[used, ground.implementations.get(used)!]]);
    listed ??= selectPrograms();
    const result = await runCampaign({
      ground: { ...ground, implementations },
      programs: (await listed).filter(({ call }) => calls.some((each) => each === call)),
      seed: fuzzSeed,
      verdicts: 60,
      runs: 15,
    });
    expect(result.failures.map(describeFailure), `begun with TOOLWRIGHT_FUZZ_SEED=${fuzzSeed}`).toEqual([]);
    expect(result.ran).toBeGreaterThan(0);
  });
}

const timeout = 6 * 3_600_000;
const execute = promisify(execFile);
const testAll = await needs("full run", ...tracing);

testAll(
  "of a million commands, none that is allowed does more than its verdict says",
  { timeout },
  async () => {
    // A folder that is named keeps what was found, and what is found later is added to it.
    const folder = process.env.TOOLWRIGHT_DIFFERENTIAL_RESULTS ?? (await temporaryFolder());
    await execute(process.execPath, [join(import.meta.dirname, "long-run.ts"), folder], { maxBuffer: 1e8 });
    const pieces = await readPieces(folder);
    const sum = (count: (piece: Piece) => number) => pieces.reduce((total, piece) => total + count(piece), 0);
    expect(pieces.flatMap(({ failures }) => failures.map(describeFailure))).toEqual([]);
    expect(sum(({ judged }) => judged)).toBeGreaterThanOrEqual(1_000_000);
    expect(sum(({ ran }) => ran)).toBeGreaterThanOrEqual(50_000);
  },
);

function findLongRun(): string | undefined {
  return isFullRun ? "TOOLWRIGHT_FUZZ=full tries a million commands instead" : undefined;
}

/** Those whose arguments can be read in most ways, and a few others. */
async function selectPrograms(): Promise<TriedProgram[]> {
  const nothing = await plantWorld("nothing");
  const random = createRandom(fuzzSeed);
  const select = (calls: readonly string[]) => {
    const others = Array.from({ length: 4 }, () => random.pick(calls));
    return [...new Set([...calls.filter((call) => oftenRead.has(call)), ...others])];
  };
  try {
    return await listPrograms(await surroundingsOf(nothing), select);
  } finally {
    await nothing.remove();
  }
}

const oftenRead: ReadonlySet<string> = new Set([
  ..."awk mawk sed jq printf tar unzip nm xxd iconv sort find wc grep cp mv mkdir touch".split(" "),
  ...["git status", "git diff", "git log", "git shortlog"],
]);

function describeFailure({ command, implementation, surprises, count }: Failure): string {
  return [
    `${command} (programs: ${implementation}) ${surprises.slice(0, 6).join(", ")}; commands like it: ${count}`,
    `see it by: TOOLWRIGHT_DIFFERENTIAL=${JSON.stringify(command)} npx vitest run test/machine/command-reading/differential`,
  ].join("\n");
}
