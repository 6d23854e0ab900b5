import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bar } from "../support/bar.mjs";
import { runNode } from "../support/run-node.mjs";
import { summarize } from "../support/statistics.mjs";
import { withTemporaryFolder } from "../support/with-temporary-folder.mjs";
import { measureFirstFrame } from "./first-frame.mjs";

const runs = 21;
const commandLine = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const toolwright = new URL("../../dist/index.js", import.meta.url).href;

/** Start-up time of whole processes, from spawning to exit. */
export default async function measureStartup() {
  return withTemporaryFolder(async (folder) => {
    const place = await preparePlace(folder);
    const times = await measureProcesses(place);
    const floor = times.get("node -e 0").best;
    const rows = [...times].map(([name, { best, median }]) => ({
      name,
      unit: "ms",
      best,
      median,
      ratios: { "node -e 0": best / floor },
    }));
    const firstFrame = await measureFirstFrame(place);
    return {
      tables: [{ title: "Starting up", rows }, firstFrame.table],
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

const processes = new Map([
  ["node -e 0", ["-e", "0"]],
  ["toolwright --version", [commandLine, "--version"]],
  ["toolwright call file_list", [commandLine, "call", "file_list"]],
  ["import toolwright", importing(toolwright)],
  ["import zod", importing(import.meta.resolve("zod"))],
  ["import ai (AI SDK)", importing(import.meta.resolve("ai"))],
  ["import @modelcontextprotocol/server", importing(import.meta.resolve("@modelcontextprotocol/server"))],
  ["import @langchain/core/tools", importing(import.meta.resolve("@langchain/core/tools"))],
  ["import @mastra/core/tools", importing(import.meta.resolve("@mastra/core/tools"))],
]);

function importing(address) {
  return ["--input-type=module", "-e", `import ${JSON.stringify(address)}`];
}

async function measureProcesses(place) {
  const samples = new Map([...processes.keys()].map((name) => [name, []]));
  // The first run fills the caches: the disk's, and the compiled code that the command line keeps.
  for (const nodeArguments of processes.values()) await runNode(nodeArguments, place);
  for (let run = 0; run < runs; run++) {
    for (const [name, nodeArguments] of processes) {
      const { elapsedMs } = await runNode(nodeArguments, place);
      samples.get(name).push(elapsedMs);
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
