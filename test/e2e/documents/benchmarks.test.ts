import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { projectFolder } from "./document-reader.ts";

const folder = join(projectFolder, "bench");
const names = (await readdir(folder, { withFileTypes: true }))
  .filter((entry) => entry.isDirectory() && !["node_modules", "support"].includes(entry.name))
  .map(({ name }) => name);

interface SmallestRun {
  readonly size: string;
  readonly reports: readonly {
    readonly benchmark: string;
    readonly tables: readonly { readonly title: string; readonly rows: readonly Row[] }[];
    readonly bars: readonly object[];
  }[];
  readonly failures: readonly { readonly benchmark: string; readonly failure: string }[];
}

interface Row {
  readonly name: string;
  readonly best: number;
  readonly median: number;
}

// One process for all of them: loading what they measure takes longer than running it once.
let running: Promise<SmallestRun> | undefined;

/** What cannot be measured at all without a part of the machine. */
const needed = new Map<string, "bubblewrap">([["made-tools", "bubblewrap"]]);

for (const name of names) {
  const part = needed.get(name);
  const testThis = await needs(...(part === undefined ? [] : [part]));
  testThis(`the smallest run of the benchmark ${name} gives figures`, { timeout: 300_000 }, async () => {
    running ??= runSmallest();
    const { reports, failures } = await running;
    expect(failures.find(({ benchmark }) => benchmark === name)?.failure).toBeUndefined();
    const report = reports.find(({ benchmark }) => benchmark === name);
    if (report === undefined) throw new Error(`bench/run.mjs does not know ${name}`);
    const { tables, bars } = report;
    expect(tables.length).toBeGreaterThan(0);
    for (const { title, rows } of tables) {
      expect(rows.length, title).toBeGreaterThan(0);
      for (const row of rows) {
        const figures = { best: expect.any(Number), median: expect.any(Number) };
        expect(row, `${title}: ${row.name}`).toMatchObject(figures);
      }
    }
    expect(bars.length).toBeGreaterThan(0);
    for (const bar of bars) {
      // How fast it is, is no question for a test.
      expect(bar).toEqual({
        claim: expect.any(String),
        value: expect.any(Number),
        limit: expect.any(Number),
        unit: expect.any(String),
      });
    }
  });
}

test("every benchmark is described", async () => {
  const page = await readFile(join(projectFolder, "docs/benchmarks.md"), "utf8");
  expect(names.filter((name) => !page.includes(`\n**${name}**: `))).toEqual([]);
});

async function runSmallest(): Promise<SmallestRun> {
  const home = temporaryFolder();
  const child = spawn(process.execPath, [join(folder, "run.mjs"), "--smallest", "--json"], {
    env: { ...process.env, XDG_STATE_HOME: join(home, "state"), XDG_CACHE_HOME: join(home, "cache") },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: 280_000,
  });
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  try {
    return JSON.parse(printed) as SmallestRun;
  } catch (error) {
    throw new Error(`the smallest run ended early:\n${errors}`, { cause: error });
  }
}
