import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bar } from "../support/bar.mjs";
import { findPeer } from "../support/import-peer.mjs";
import { runNode } from "../support/run-node.mjs";
import { summarize } from "../support/statistics.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { measureFirstFrame } from "./first-frame.mjs";

// The first run fills the caches: the disk's, and the compiled code that the command line keeps.
const sizes = { full: { firstRuns: 1, runs: 21 }, smallest: { firstRuns: 0, runs: 1 } };
const commandLine = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const toolwright = new URL("../../dist/index.js", import.meta.url).href;

/** Start-up time of whole processes, from spawning to exit. */
export default async function measureStartup({ size, leaveOut }) {
  return withTemporaryFolder(async (folder) => {
    const place = await preparePlace(folder);
    const times = await measureProcesses(processesOf({ leaveOut }), { ...sizes[size], place });
    const floor = times.get("node -e 0").best;
    const rows = [...times].map(([name, { best, median }]) => ({
      name,
      unit: "ms",
      best,
      median,
      ratios: { "node -e 0": best / floor },
    }));
    const firstFrame = await measureFirstFrame({ size, place, leaveOut });
    return {
      tables: [{ title: "Starting up", rows }, ...firstFrame.tables],
      bars: [...barsOf(times), ...firstFrame.bars],
    };
  });
}

/** A small workspace with its own state and cache folders, so that the user's are neither touched nor counted. */
async function preparePlace(folder) {
  const workspace = join(folder, "workspace");
  await mkdir(workspace);
  await Promise.all(["a.txt", "b.txt", "c.txt"].map((name) => writeFile(join(workspace, name), name)));
  const env = {
    ...process.env,
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
  };
  return { cwd: workspace, env };
}

function processesOf({ leaveOut }) {
  const imports = peers.flatMap(([name, specifier]) => {
    const address = findPeer(specifier, leaveOut);
    return address === undefined ? [] : [[name, importing(address)]];
  });
  return new Map([
    ["node -e 0", ["-e", "0"]],
    ["toolwright --version", [commandLine, "--version"]],
    ["toolwright call file_list", [commandLine, "call", "file_list"]],
    ["import toolwright", importing(toolwright)],
    ...imports,
  ]);
}

const peers = [
  ["import zod", "zod"],
  ["import ai (AI SDK)", "ai"],
  ["import @modelcontextprotocol/server", "@modelcontextprotocol/server"],
  ["import @langchain/core/tools", "@langchain/core/tools"],
  ["import @mastra/core/tools", "@mastra/core/tools"],
];

function importing(address) {
  return ["--input-type=module", "-e", `import ${JSON.stringify(address)}`];
}

async function measureProcesses(processes, { firstRuns, runs, place }) {
  const samples = new Map([...processes.keys()].map((name) => [name, []]));
  for (let run = -firstRuns; run < runs; run++) {
    for (const [name, nodeArguments] of processes) {
      const { elapsedMs } = await runNode(nodeArguments, place);
      if (run >= 0) samples.get(name).push(elapsedMs);
    }
  }
  return new Map([...samples].map(([name, list]) => [name, summarize(list)]));
}

function barsOf(times) {
  const best = (name) => times.get(name).best;
  const ratio = (name, to) => best(name) / best(to);
  return [
    bar("toolwright --version over node -e 0", {
      value: ratio("toolwright --version", "node -e 0"),
      limit: 1.6,
    }),
    bar("toolwright call over node -e 0", {
      value: ratio("toolwright call file_list", "node -e 0"),
      limit: 3.5,
    }),
    bar("import toolwright over import zod", {
      value: ratio("import toolwright", "import zod"),
      limit: 1.3,
    }),
  ];
}
