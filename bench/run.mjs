// Measures Toolwright against baselines and peers:
// `node bench/run.mjs [BENCHMARK...] [--tree DIR] [--json] [--check | --smallest]`.
import { parseArgs } from "node:util";
import { describeMachine } from "./support/describe-machine.mjs";
import { formatReport, formatSummary } from "./support/format-report.mjs";

const benchmarks = new Map([
  ["call", () => import("./call/call.mjs")],
  ["store", () => import("./store/store.mjs")],
  ["heap", () => import("./heap/heap.mjs")],
  ["catalogue", () => import("./catalogue/catalogue.mjs")],
  ["startup", () => import("./startup/startup.mjs")],
  ["files", () => import("./files/files.mjs")],
  ["policy", () => import("./policy/policy.mjs")],
  ["web", () => import("./web/web.mjs")],
  ["shell", () => import("./shell/shell.mjs")],
  ["mcp", () => import("./mcp/mcp.mjs")],
  ["agent", () => import("./agent/agent.mjs")],
  ["made-tools", () => import("./made-tools/made-tools.mjs")],
]);

const { values: flags, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean" },
    check: { type: "boolean" },
    smallest: { type: "boolean" },
    tree: { type: "string" },
  },
});
const unknown = named.filter((name) => !benchmarks.has(name));
if (unknown.length > 0)
  refuse(`unknown benchmark ${unknown.join(", ")}; known: ${[...benchmarks.keys()].join(", ")}`);
if (flags.check && flags.smallest) refuse("--smallest measures nothing that --check could judge");

const machine = describeMachine();
const size = flags.smallest ? "smallest" : "full";
const reports = [];
const failures = [];
if (!flags.json) console.log(`Node ${machine.node}, ${machine.cores} cores, ${machine.processor}\n`);
for (const name of named.length > 0 ? named : benchmarks.keys()) {
  console.error(`measuring ${name} …`);
  try {
    const report = await measureBenchmark(name);
    reports.push(report);
    if (!flags.json) console.log(formatReport(report));
  } catch (error) {
    failures.push({ benchmark: name, failure: error.stack });
    console.error(`${name} failed: ${error.stack}`);
    process.exitCode = 1;
  }
}

const bars = reports.flatMap((report) => report.bars);
const leftOut = reports.flatMap((report) => report.leftOut);
console.log(
  flags.json ? JSON.stringify({ machine, size, reports, failures }, undefined, 2) : formatSummary(bars, size),
);
if (flags.check && (leftOut.length > 0 || bars.some((bar) => !bar.holds))) process.exitCode = 1;

/** `size` is "full", or "smallest": everything runs once with next to nothing to do, to see that it still runs. */
async function measureBenchmark(name) {
  const { default: measure } = await benchmarks.get(name)();
  const reasons = new Set();
  const leaveOut = (reason) => void reasons.add(reason);
  const { tables, bars: measured } = await measure({ tree: flags.tree, size, leaveOut });
  const judged = size === "full" ? measured : measured.map(({ holds: _chance, ...bar }) => bar);
  return { benchmark: name, tables, bars: judged, leftOut: [...reasons] };
}

function refuse(message) {
  console.error(message);
  process.exit(2);
}
