import { rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bar } from "../support/bar.mjs";
import { runNode } from "../support/run-node.mjs";
import { summarize } from "../support/statistics.mjs";
import { writeLargeFile } from "./large-file.mjs";
import { toRows } from "./to-rows.mjs";

const script = fileURLToPath(new URL("./read-slices.mjs", import.meta.url));
const floor = "stream by hand";
const sizes = {
  full: { runs: 7, fileBytes: 500_000_000, firstLine: 1_000_000, lineCount: 2000 },
  smallest: { runs: 1, fileBytes: 10_000, firstLine: 50, lineCount: 10 },
};

/** 2,000 lines at line 1,000,000: the time, and the memory beyond that of a process that is ready to read. */
export async function measureSlice({ size, folder, pi }) {
  const { runs, fileBytes, firstLine, lineCount } = sizes[size];
  const readers = [floor, "file_read", ...(pi ? ["pi's read"] : [])];
  const file = join(folder, "large.txt");
  await writeLargeFile(file, fileBytes);
  const found = new Map(readers.map((reader) => [reader, { times: [], growths: [] }]));
  for (let run = 0; run < runs; run++) {
    for (const [reader, { times, growths }] of found) {
      const idle = await readSlices(reader, { folder, file, firstLine, lineCount, repeats: 0 });
      const busy = await readSlices(reader, { folder, file, firstLine, lineCount, repeats: 3 });
      times.push(...busy.times);
      growths.push((busy.peakBytes - idle.peakBytes) / 1e6);
    }
  }
  await rm(file);
  return describe(found);
}

/** Each runs in a separate process, so that none benefits from memory that another has allocated. */
async function readSlices(reader, { folder, file, firstLine, lineCount, repeats }) {
  const counts = [firstLine, lineCount, repeats].map(String);
  const { stdout } = await runNode([script, reader, folder, file, ...counts]);
  return JSON.parse(stdout);
}

function describe(found) {
  const times = new Map([...found].map(([reader, { times }]) => [reader, summarize(times)]));
  const memory = [...found].map(([name, { growths }]) => ({ name, unit: "MB", ...summarize(growths) }));
  const value = times.get("file_read").best / times.get(floor).best;
  return {
    tables: [
      { title: "2,000 lines at line 1,000,000 of 500 MB", rows: toRows(times, { floor }) },
      { title: "… and the memory that takes at its peak", rows: memory },
    ],
    bars: [
      bar("file_read far into 500 MB, over streaming by hand", { value, limit: 1.3 }),
      bar("memory of file_read far into 500 MB", {
        value: memory.find(({ name }) => name === "file_read").median,
        limit: 32,
        unit: "MB",
      }),
    ],
  };
}
