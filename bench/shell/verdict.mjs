import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openRuntime } from "../../dist/index.js";
import { bar } from "../support/bar.mjs";
import { summarize } from "../support/statistics.mjs";

const sizes = {
  full: { rounds: 5, sampleCount: Number.POSITIVE_INFINITY, hugeBytes: 1024 * 1024 },
  smallest: { rounds: 1, sampleCount: 5, hugeBytes: 1024 },
};
const samples = new URL("../../test/fixtures/shell-commands.jsonl", import.meta.url);

/** Time to decide whether a command may run: for each sample command, and for commands built to take long. */
export async function measureVerdict({ size, folder }) {
  const { rounds, sampleCount, hugeBytes } = sizes[size];
  const workspace = await makeRepository(folder);
  const runtime = await openRuntime({ workspace, store: "memory:", permissions: { mode: "ask" } });
  const session = await runtime.openSession({});
  try {
    const explain = (command) => time(() => session.explain("Bash", { command }));
    const ordinary = await explainSamples(explain, { rounds, sampleCount });
    const nested = await repeat(() => explain(nest(40)), rounds * 4);
    const huge = await repeat(() => explain("echo a; ".repeat(hugeBytes / 8)), rounds * 4);
    return {
      tables: [{ title: "A verdict on a shell command", rows: toRows({ ordinary, nested, huge }) }],
      bars: [
        bar("a verdict, median over the sample commands", {
          value: percentile(ordinary, 50),
          limit: 5,
          unit: "ms",
        }),
        bar("a verdict, 99th percentile", { value: percentile(ordinary, 99), limit: 20, unit: "ms" }),
        bar("a verdict on 40 nested substitutions", { value: percentile(nested, 50), limit: 50, unit: "ms" }),
        bar("a verdict on a command of 1 MB", { value: percentile(huge, 50), limit: 50, unit: "ms" }),
      ],
    };
  } finally {
    await session.close();
    await runtime.close();
  }
}

async function makeRepository(folder) {
  const workspace = join(folder, "repository");
  await mkdir(join(workspace, "src"), { recursive: true });
  for (const name of ["a.txt", "README.md", "package.json", "src/index.ts"]) {
    await writeFile(join(workspace, name), "one\ntwo\n");
  }
  execFileSync("git", ["init", "--quiet"], { cwd: workspace });
  return workspace;
}

/** The first round does not count, because it loads and compiles everything. */
async function explainSamples(explain, { rounds, sampleCount }) {
  const lines = (await readFile(samples, "utf8")).trim().split("\n");
  const commands = lines.slice(0, sampleCount).map((line) => JSON.parse(line).command);
  const times = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const command of commands) {
      const elapsedMs = await explain(command);
      if (round > 0) times.push(elapsedMs);
    }
  }
  return times;
}

async function repeat(measure, count) {
  const times = [];
  for (let round = 0; round < count; round += 1) times.push(await measure());
  return times;
}

function nest(depth) {
  return `echo ${"$(echo ".repeat(depth)}a${")".repeat(depth)}`;
}

async function time(run) {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

function percentile(times, share) {
  const sorted = times.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil((sorted.length * share) / 100) - 1)];
}

function toRows({ ordinary, nested, huge }) {
  const rows = [
    ["the sample commands", ordinary],
    ["40 nested substitutions", nested],
    ["1 MB of commands", huge],
  ];
  return rows.map(([name, times]) => ({ name, unit: "ms", ...summarize(times) }));
}
