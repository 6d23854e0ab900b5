import { execFile } from "node:child_process";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { fuzzSeed } from "../../../../support/fuzz.ts";
import { temporaryFolder } from "../../../../support/open-test-session.ts";
import { createRandom } from "../fuzz/random.ts";
import { type Failure, runCampaign } from "./campaign.ts";
import { campaignParts } from "./campaign-parts.ts";
import { listPrograms, type TriedProgram } from "./list-programs.ts";
import { type Piece, readPieces } from "./long-run.ts";
import { openGround, surroundingsOf } from "./open-ground.ts";
import { plantOddNames, plantWorld } from "./plant-world.ts";
import { findTracingProblem } from "./run-traced.ts";
import { learnUsualDeeds } from "./usual-deeds.ts";

const problem = await findTracingProblem();
if (problem !== undefined) console.warn(`SKIPPED: running allowed commands under a tracer. ${problem}`);
for (const name of ["gawk", "busybox"])
  await access(`/usr/bin/${name}`).catch(() =>
    console.warn(
      `SKIPPED: ${name} is not installed, so what it does is not compared with what is said of it.`,
    ),
  );

const single = process.env.TOOLWRIGHT_DIFFERENTIAL;
const isFull = process.env.TOOLWRIGHT_FUZZ === "full";

const usualFor = learnUsualDeeds();
let listed: Promise<TriedProgram[]> | undefined;

for (const { title, mode, kind, verdicts, runs, isTried, isWanted } of campaignParts) {
  test.skipIf(problem !== undefined || isFull)(title, async () => {
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

const timeout = 6 * 3_600_000;
const execute = promisify(execFile);

test.runIf(isFull && problem === undefined)(
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
    `see it by: TOOLWRIGHT_DIFFERENTIAL=${JSON.stringify(command)} npx vitest run test/runtime/policy/commands/differential`,
  ].join("\n");
}
