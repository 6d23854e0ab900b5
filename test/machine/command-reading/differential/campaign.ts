import { type ArgumentPools, type GeneratedLine, generateLines } from "./generate-lines.ts";
import type { TriedProgram } from "./list-programs.ts";
import type { Ground, JudgedLine } from "./open-ground.ts";
import { plainPools } from "./plain-pools.ts";
import { createTraceQueue } from "./trace-queue.ts";

export interface CampaignOptions {
  readonly ground: Ground;
  readonly programs: readonly TriedProgram[];
  readonly seed: number;
  /** How many lines are judged. */
  readonly verdicts: number;
  /** How many of those that are allowed are run at most. */
  readonly runs: number;
  /** Argument lists that were let through before, to go on from. Default: none. */
  readonly pools?: ArgumentPools;
  /** Whether a line has not been tried before. Default: in this campaign. */
  readonly isNew?: (line: string) => boolean;
  /** Which of the allowed ones are worth running. Default: all. */
  readonly isWanted?: (judged: JudgedLine) => boolean;
}

export interface CampaignResult {
  /** Different lines, as all the other numbers are of different ones. */
  readonly judged: number;
  readonly allowed: number;
  readonly ran: number;
  /** Of the lines that would have been asked about, how many were run, and how many of those did nothing but read. */
  readonly asked: { readonly ran: number; readonly onlyRead: number; readonly samples: readonly string[] };
  /** One for each kind of surprise, with the first command that showed it. */
  readonly failures: readonly Failure[];
}

export interface Failure {
  readonly command: string;
  /** Whose programs it ran by. */
  readonly implementation: string;
  readonly surprises: readonly string[];
  /** How many commands of the same program did the like. */
  count: number;
}

const linesAtOnce = 128;
const oneOfAsked = 40;

/** Judges generated lines, runs the allowed ones, and tells which of them did more than their verdict says. */
export async function runCampaign({
  ground,
  programs,
  seed,
  verdicts,
  runs,
  pools = new Map(),
  isNew = createMemory(),
  isWanted = () => true,
}: CampaignOptions): Promise<CampaignResult> {
  const { base } = ground.world;
  const lines = generateLines({
    seed,
    programs,
    pools,
    plain: await plainPools(),
    variables: variableNames,
    base,
  });
  const queue = createTraceQueue(ground);
  const failures = new Map<string, Failure>();
  const asked = { ran: 0, onlyRead: 0, samples: [] as string[] };
  let [judged, allowed, ran] = [0, 0, 0];

  const tryAllowed = (line: GeneratedLine, judgedLine: JudgedLine) =>
    queue.add(line.text, async (run, implementation) => {
      const surprises = await ground.surprises(judgedLine, run);
      if (surprises.length > 0) note(failures, line, { implementation, surprises });
    });
  const tryAsked = (judgedLine: JudgedLine) =>
    queue.add(judgedLine.command, async (run) => {
      if (run.exitCode !== 0) return;
      asked.ran += 1;
      if ((await ground.surprises(asReading(judgedLine, ground.world.work), run)).length > 0) return;
      asked.onlyRead += 1;
      if (asked.samples.length < maxSamples) asked.samples.push(judgedLine.command);
    });

  let repeated = 0;
  const nextLines = () => {
    const next: GeneratedLine[] = [];
    while (next.length < Math.min(linesAtOnce, verdicts - judged) && repeated < verdicts) {
      const line = lines.next();
      if (isNew(line.text)) next.push(line);
      else repeated += 1;
    }
    return next;
  };

  for (let next = nextLines(); next.length > 0; next = nextLines()) {
    const found = await ground.verdicts(next.map(({ text }) => text));
    for (const [index, line] of next.entries()) {
      const judgedLine = { command: line.text, verdict: found[index]! };
      judged += 1;
      if (judgedLine.verdict.decision !== "allow") {
        if (judged % oneOfAsked === 0) await tryAsked(judgedLine);
        continue;
      }
      allowed += 1;
      lines.wasAllowed(line);
      // Spread over the whole campaign: later lines go further than earlier ones.
      if (ran * verdicts > judged * runs || !isWanted(judgedLine)) continue;
      ran += 1;
      await tryAllowed(line, judgedLine);
    }
  }
  await queue.finish();
  return { judged, allowed, ran, asked, failures: [...failures.values()] };
}

const maxSamples = 40;

/** As if its verdict had been that it reads anything in the workspace. */
function asReading({ command, verdict }: JudgedLine, work: string): JudgedLine {
  return { command, verdict: { ...verdict, effects: { ...verdict.effects, reads: [work], writes: [] } } };
}

function note(
  failures: Map<string, Failure>,
  line: GeneratedLine,
  { implementation, surprises }: Pick<Failure, "implementation" | "surprises">,
): void {
  const kinds = new Set(surprises.map((surprise) => surprise.replace(/^(\w+ \S*?)[^/]*$/, "$1")));
  const key = `${line.program.call}: ${[...kinds].toSorted().join(", ")}`;
  const known = failures.get(key);
  if (known === undefined) failures.set(key, { command: line.text, implementation, surprises, count: 1 });
  else known.count += 1;
}

function createMemory(): (line: string) => boolean {
  const seen = new Set<string>();
  return (line) => seen.size < seen.add(line).size;
}

const variableNames = [
  "PATH",
  "HOME",
  "GIT_CONFIG_COUNT",
  "GIT_CONFIG_KEY_0",
  "GIT_OPTIONAL_LOCKS",
  "PAGER",
  "LANG",
];
