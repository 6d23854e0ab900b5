import { readSampleRows } from "../sample-rows.ts";
import { type GeneratedLine, generateLines } from "./generate-lines.ts";
import type { TriedProgram } from "./list-programs.ts";
import type { Ground, JudgedLine } from "./open-ground.ts";
import { createTraceQueue } from "./trace-queue.ts";

export interface CampaignOptions {
  readonly ground: Ground;
  readonly programs: readonly TriedProgram[];
  readonly seed: number;
  /** How many lines are judged. */
  readonly verdicts: number;
  /** How many of those that are allowed are run at most. */
  readonly runs: number;
  /** Which of the allowed ones are worth running. Default: all. */
  readonly isWanted?: (judged: JudgedLine) => boolean;
}

export interface CampaignResult {
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

const linesAtOnce = 32;
const oneOfAsked = 40;

/** Judges generated lines, runs the allowed ones, and tells which of them did more than their verdict says. */
export async function runCampaign({
  ground,
  programs,
  seed,
  verdicts,
  runs,
  isWanted = () => true,
}: CampaignOptions): Promise<CampaignResult> {
  const { base } = ground.world;
  const lines = generateLines({ seed, programs, known: await knownLists(), variables: variableNames, base });
  const queue = createTraceQueue(ground);
  const seen = new Set<string>();
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

  while (judged < verdicts) {
    const next = Array.from({ length: Math.min(linesAtOnce, verdicts - judged) }, () => lines.next());
    const found = await Promise.all(next.map(({ text }) => ground.verdict(text)));
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
      if (seen.has(line.text) || ran * verdicts > judged * runs || !isWanted(judgedLine)) continue;
      seen.add(line.text);
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

/** On planted files, because most of the samples speak of others. */
const plainUses = [
  ...["tar -tf a.tar", "tar -t -f a.tar", "unzip -l a.zip", "xxd in.bin", "jq -n 1", "jq . data.json"],
  ...["cp a.txt m", "cp -r sub m", "mv a.txt m", "mkdir m", "touch m", "ln -s a.txt m", "wc -l a.txt"],
];

/** Argument lists of commands that people really use, to begin with. */
async function knownLists(): Promise<Map<string, string[][]>> {
  const { harmless } = await readSampleRows();
  const lists = new Map<string, string[][]>();
  for (const command of [...plainUses, ...harmless.map((row) => row.command)]) {
    if (/[|;&<>$`()#\n\\]/.test(command)) continue;
    const words = command.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? [];
    const length = words[0] === "git" ? 2 : 1;
    const call = words.slice(0, length).join(" ");
    lists.set(call, [...(lists.get(call) ?? []), words.slice(length)]);
  }
  return lists;
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
