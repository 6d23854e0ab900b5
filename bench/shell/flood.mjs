import { fileURLToPath } from "node:url";
import { toRows } from "../files/to-rows.mjs";
import { bar } from "../support/bar.mjs";
import { runNode } from "../support/run-node.mjs";
import { summarize } from "../support/statistics.mjs";
import { floor, piName } from "./runners.mjs";

const script = fileURLToPath(new URL("./run-flood.mjs", import.meta.url));
const sizes = {
  full: { runs: 4, floodBytes: 1_000_000_000 },
  smallest: { runs: 1, floodBytes: 100_000 },
};

/** A gigabyte of lines: the time, and the memory beyond that of a process that has already run a command. */
export async function measureFlood({ size, folder, runnerNames }) {
  const { runs, floodBytes } = sizes[size];
  const found = new Map(runnerNames.map((name) => [name, { times: [], growths: [], gaps: [] }]));
  for (let run = 0; run < runs; run++) {
    for (const [name, { times, growths, gaps }] of found) {
      const idle = await flood(name, folder, 0);
      const busy = await flood(name, folder, floodBytes);
      times.push(busy.elapsedMs);
      gaps.push(busy.worstGapMs);
      growths.push((busy.peakBytes - idle.peakBytes) / 1e6);
    }
  }
  return describe(found);
}

/** Each runs in a separate process, so that none benefits from memory that another has allocated. */
async function flood(name, folder, bytes) {
  const { stdout } = await runNode([script, name, folder, String(bytes)]);
  return JSON.parse(stdout);
}

function describe(found) {
  const times = new Map([...found].map(([name, { times }]) => [name, summarize(times)]));
  const rowsOf = (figure, unit) =>
    [...found].map(([name, figures]) => ({ name, unit, ...summarize(figures[figure]) }));
  const growths = rowsOf("growths", "MB");
  const gaps = rowsOf("gaps", "ms");
  const ours = times.get("startCommand");
  const pi = times.get(piName);
  const own = (rows) => rows.find(({ name }) => name === "startCommand").median;
  return {
    tables: [
      { title: "A gigabyte of lines", rows: toRows(times, { floor }) },
      { title: "… the memory that takes at its peak", rows: growths },
      { title: "… and the longest time that nothing else had its turn", rows: gaps },
    ],
    bars: [
      bar("a gigabyte, over a raw drain", { value: ours.best / times.get(floor).best, limit: 1.25 }),
      ...(pi ? [bar(`a gigabyte, over ${piName}`, { value: ours.median / pi.median, limit: 1 })] : []),
      bar("memory for a gigabyte", { value: own(growths), limit: 32, unit: "MB" }),
    ],
  };
}
