import { access } from "node:fs/promises";
import { expect, onTestFinished, test } from "vitest";
import type { Mode } from "../../../../../src/runtime/policy/decide.ts";
import { fuzzRuns, fuzzSeed } from "../../../../support/fuzz.ts";
import { createRandom } from "../fuzz/random.ts";
import { type CampaignResult, type Failure, runCampaign } from "./campaign.ts";
import { listPrograms, type TriedProgram } from "./list-programs.ts";
import { openGround, surroundingsOf } from "./open-ground.ts";
import { plantOddNames, plantWorld, type RepositoryKind } from "./plant-world.ts";
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
const timeout = 3 * 3_600_000;

interface Part {
  readonly title: string;
  readonly mode: Mode;
  readonly kind: RepositoryKind;
  readonly verdicts: { readonly sample: number; readonly full: number };
  readonly runs: { readonly sample: number; readonly full: number };
  readonly isTried: (call: string) => boolean;
}

const isGit = (call: string) => call.startsWith("git ");

const writers: ReadonlySet<string> = new Set(
  "cp mv ln mkdir rmdir touch install tee truncate split csplit mktemp mkfifo sed sort tar unzip gzip patch".split(
    " ",
  ),
);

const parts: readonly Part[] = [
  {
    title: "an allowed command does nothing but read what its verdict names",
    mode: "readonly",
    kind: "plain",
    verdicts: { sample: 200, full: 850_000 },
    runs: { sample: 50, full: 44_000 },
    isTried: () => true,
  },
  {
    title: "git runs nothing that a repository inside the workspace names",
    mode: "ask",
    kind: "gitlink",
    verdicts: { sample: 20, full: 50_000 },
    runs: { sample: 10, full: 4_000 },
    isTried: isGit,
  },
  {
    title: "git runs nothing that a bare layout in the workspace names",
    mode: "ask",
    kind: "bare",
    verdicts: { sample: 20, full: 20_000 },
    runs: { sample: 10, full: 2_000 },
    isTried: isGit,
  },
  {
    title: "in mode edit an allowed command writes only what its verdict names and a file tool may write",
    mode: "edit",
    kind: "plain",
    verdicts: { sample: 60, full: 100_000 },
    runs: { sample: 15, full: 6_000 },
    isTried: (call) => writers.has(call),
  },
];

const usualFor = learnUsualDeeds();
let listed: Promise<TriedProgram[]> | undefined;

for (const { title, mode, kind, verdicts, runs, isTried } of parts) {
  test.skipIf(problem !== undefined)(title, { timeout }, async () => {
    const world = await plantWorld(kind);
    onTestFinished(() => world.remove());
    listed ??= selectPrograms();
    const programs = (await listed).filter(({ call }) => isTried(call));
    // Not where the folder is made anew for each command.
    if (mode !== "edit") await plantOddNames(world.work, programs);
    const ground = await openGround(world, mode, usualFor);
    if (single !== undefined) return explainOne(single);
    const result = await runCampaign({
      ground,
      programs,
      seed: fuzzSeed,
      verdicts: fuzzRuns(verdicts),
      runs: fuzzRuns(runs),
      isWanted: ({ verdict }) => mode !== "edit" || verdict.effects.writes.length > 0,
    });
    if (isFull) console.info(describe(result));
    expect(result.failures.map(describeFailure), `begun with TOOLWRIGHT_FUZZ_SEED=${fuzzSeed}`).toEqual([]);
    // In a hostile repository it is right to ask about everything.
    if (kind === "plain") expect(result.ran).toBeGreaterThan(0);

    async function explainOne(command: string): Promise<void> {
      const verdict = await ground.verdict(command);
      const [run] = await ground.run([command]);
      const surprises = await ground.surprises({ command, verdict }, run!);
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

/** All programs in the long run; else those whose arguments can be read in most ways, and a few others. */
async function selectPrograms(): Promise<TriedProgram[]> {
  const nothing = await plantWorld("nothing");
  const random = createRandom(fuzzSeed);
  const select = (calls: readonly string[]) => {
    const others = Array.from({ length: 4 }, () => random.pick(calls));
    return [...new Set([...calls.filter((call) => oftenRead.has(call)), ...others])];
  };
  try {
    return await listPrograms(await surroundingsOf(nothing), isFull ? undefined : select);
  } finally {
    await nothing.remove();
  }
}

const oftenRead: ReadonlySet<string> = new Set([
  ..."awk mawk sed jq printf tar unzip nm xxd iconv sort find wc grep cp mv mkdir touch".split(" "),
  ...["git status", "git diff", "git log", "git shortlog"],
]);

function describe({ judged, allowed, ran, asked }: CampaignResult): string {
  return (
    `${judged} lines judged, ${allowed} allowed, ${ran} of them run; of ${asked.ran} that ask and end well, ` +
    `${asked.onlyRead} only read:\n${asked.samples.join("\n")}`
  );
}

function describeFailure({ command, implementation, surprises, count }: Failure): string {
  return [
    `${command} (programs: ${implementation}) ${surprises.slice(0, 6).join(", ")}; commands like it: ${count}`,
    `see it by: TOOLWRIGHT_DIFFERENTIAL=${JSON.stringify(command)} npx vitest run test/runtime/policy/commands/differential`,
  ].join("\n");
}
