import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { openStoreAppend } from "../store/store-append.mjs";
import { bar } from "../support/bar.mjs";
import { measureRounds } from "../support/measure-rounds.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { addedByAdapters, openAdaptedTools } from "./adapted-tools.mjs";
import { openAiSdk } from "./ai-sdk.mjs";
import { aiSdkLoop } from "./ai-sdk-loop.mjs";
import { addedByMapping, openDialectMapping } from "./dialect-mapping.mjs";
import { openFloors } from "./floors.mjs";
import { openLangChain } from "./langchain.mjs";
import { openMastra } from "./mastra.mjs";
import { openMcpSdk } from "./mcp-sdk.mjs";
import { openToolwright } from "./toolwright.mjs";

const loopName = "AI SDK, inside its loop, net";

/** The cost of a call of a trivial tool, one at a time and ten at once. */
export default async function measureCall({ size, leaveOut }) {
  return withTemporaryFolder(async (folder) => {
    const candidates = await openCandidates(folder, { leaveOut });
    const alone = await measureWidth(candidates, { size, width: 1 });
    const together = await measureWidth(candidates, { size, width: 10 });
    const mapping = await measureRounds(await openDialectMapping(), { size });
    const adaptedTools = await openAdaptedTools(folder);
    const adapted = addedByAdapters(await measureRounds(adaptedTools, { size }));
    for (const { close } of [...candidates, ...adaptedTools]) await close?.();
    return {
      tables: [
        { title: "One call at a time", rows: toRows(alone) },
        { title: "Ten calls at once, each", rows: toRows(together) },
        { title: "Names, input and result of a call", rows: toPlainRows(mapping) },
        { title: "A tool of another system", rows: adapted.map((row) => ({ ...row, unit: "µs" })) },
      ],
      bars: [
        ...barsOf(alone, together),
        bar("a dialect's names, input and result, over the tool's own", {
          value: addedByMapping(mapping),
          limit: 2,
          unit: "µs",
        }),
        ...adapted.map(({ name, best }) => bar(`a tool of ${name}`, { value: best, limit: 3, unit: "µs" })),
      ],
    };
  });
}

async function openCandidates(folder, { leaveOut }) {
  const [workspace, stateFolder] = [join(folder, "workspace"), join(folder, "state")];
  await Promise.all([mkdir(workspace), mkdir(stateFolder)]);
  const groups = await Promise.all([
    openFloors(),
    openToolwright({ workspace, stateFolder }),
    openStoreAppend(stateFolder),
    openAiSdk(),
    openMcpSdk(),
    openLangChain(),
    openMastra({ leaveOut }),
  ]);
  return groups.flat();
}

async function measureWidth(candidates, { size, width }) {
  const { longer, shorter, extraCalls } = aiSdkLoop;
  const ofWidth = candidates.map((candidate) => ({
    name: candidate.name,
    operations: width,
    run: runAtOnce(candidate, width),
  }));
  const times = await measureRounds([...ofWidth, longer, shorter], { size });
  const [more, fewer] = [times.get(longer.name), times.get(shorter.name)];
  times.delete(longer.name);
  times.delete(shorter.name);
  return times.set(loopName, {
    best: (more.best - fewer.best) / extraCalls,
    median: (more.median - fewer.median) / extraCalls,
  });
}

function runAtOnce({ call, callMany }, width) {
  if (callMany !== undefined) return () => callMany(width);
  return width === 1 ? call : () => Promise.all(Array.from({ length: width }, call));
}

function toRows(times) {
  const floor = times.get("bare function + Zod parse").best;
  const aiSdk = times.get(loopName).best;
  return [...times].map(([name, { best, median }]) => ({
    name,
    unit: "µs",
    best,
    median,
    ratios: { "function + Zod": best / floor, "AI SDK loop": best / aiSdk },
  }));
}

function toPlainRows(times) {
  return [...times].map(([name, { best, median }]) => ({ name, unit: "µs", best, median }));
}

function barsOf(alone, together) {
  const [memory, sqlite] = ["Toolwright, memory store, all stages", "Toolwright, SQLite store, all stages"];
  const [store, raw] = ["Toolwright's store alone, SQLite", "raw SQLite, two rows and two commits"];
  const ratio = (times, name, to) => times.get(name).best / times.get(to).best;
  return [
    bar("whole path, memory store", { value: alone.get(memory).best, limit: 15, unit: "µs" }),
    bar("whole path, memory store, over the AI SDK's loop", {
      value: ratio(alone, memory, loopName),
      limit: 1,
    }),
    bar("whole path, memory store, over the AI SDK's loop, ten at once", {
      value: ratio(together, memory, loopName),
      limit: 1,
    }),
    bar("whole path, SQLite store", { value: alone.get(sqlite).best, limit: 60, unit: "µs" }),
    bar("the store alone over raw SQLite", { value: ratio(alone, store, raw), limit: 1.6 }),
    bar("the store alone over raw SQLite, ten at once", { value: ratio(together, store, raw), limit: 1.6 }),
  ];
}
