// Measures Toolwright against baselines and peers:
// `node bench/run.mjs [call store heap catalogue startup files policy web shell mcp agent made-tools] [--tree DIR] [--json] [--check]`.
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
  options: { json: { type: "boolean" }, check: { type: "boolean" }, tree: { type: "string" } },
});
const unknown = named.filter((name) => !benchmarks.has(name));
if (unknown.length > 0) {
  console.error(`unknown benchmark ${unknown.join(", ")}; known: ${[...benchmarks.keys()].join(", ")}`);
  process.exit(2);
}

const machine = describeMachine();
const reports = [];
if (!flags.json) console.log(`Node ${machine.node}, ${machine.cores} cores, ${machine.processor}\n`);
for (const name of named.length > 0 ? named : benchmarks.keys()) {
  console.error(`measuring ${name} …`);
  try {
    const { default: measure } = await benchmarks.get(name)();
    const report = { benchmark: name, ...(await measure({ tree: flags.tree })) };
    reports.push(report);
    if (!flags.json) console.log(formatReport(report));
  } catch (error) {
    console.error(`${name} failed: ${error.stack}`);
    process.exitCode = 1;
  }
}

const bars = reports.flatMap((report) => report.bars);
console.log(flags.json ? JSON.stringify({ machine, reports }, undefined, 2) : formatSummary(bars));
if (flags.check && bars.some((bar) => !bar.holds)) process.exitCode = 1;
