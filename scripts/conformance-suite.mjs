// Shared by the runs of the official MCP conformance suite against the server and against the client.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const suite = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

/** The protocol revisions that the suite has requirements for. */
export const revisions = ["2026-07-28", "2025-11-25"];

/**
 * Runs the suite with everything that one protocol revision requires and prints the result. Resolves to true if it is as
 * listed: a scenario that fails without being listed is a failure, and so is one that is listed and does not fail.
 */
export async function runSuite(words, { revision, list, folder, maxRunMs, environment = process.env }) {
  const what = [...words, "--requirements", revision, "--expected-failures", list];
  const { exitCode, output } = await run(what, { folder, maxRunMs, environment });
  const summary = Math.max(output.indexOf("=== SUMMARY"), output.indexOf("=== SUITE SUMMARY"), 0);
  console.log(`Protocol ${revision}\n${output.slice(summary)}`);
  const surprises = surprisesOf(output, await readFile(list, "utf8"));
  for (const surprise of surprises) console.log(surprise);
  return exitCode === 0 && surprises.length === 0;
}

/** Runs one scenario as one protocol has it, prints what came of it, and tells whether it passed. */
export async function runScenario(words, scenario, { revision, ...how }) {
  const { exitCode, output } = await run([...words, "--scenario", scenario, "--spec-version", revision], how);
  const isPassed = exitCode === 0 && output.includes("OVERALL: PASSED");
  console.log(isPassed ? `Protocol ${revision}, ${scenario}: passed` : output);
  return isPassed;
}

async function run(words, { folder, maxRunMs, environment }) {
  const child = spawn(process.execPath, [suite, ...words], {
    // The suite writes its results to its working directory.
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    // The suite does not kill the clients it starts; in one process group, they are killed with it.
    detached: true,
  });
  const timer = setTimeout(() => process.kill(-child.pid, "SIGKILL"), maxRunMs);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const [exitCode, signal] = await once(child, "close");
  clearTimeout(timer);
  if (signal !== null) output += `\nThe suite was killed by ${signal}; its time limit is ${maxRunMs} ms.\n`;
  return { exitCode, output };
}

/** The suite compares required scenarios with the list; this compares the others. */
function surprisesOf(output, list) {
  const listed = new Set([...list.matchAll(/^ {2}- ([^\s:]+)/gm)].map(([, scenario]) => scenario));
  const results = [...output.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed(?:, \d+ warnings)?$/gm)];
  const failed = new Set(results.filter(([, mark]) => mark === "✗").map(([, , scenario]) => scenario));
  return [
    ...[...failed.difference(listed)].map((scenario) => `${scenario} fails and is not listed.`),
    ...[...listed.difference(failed)].map((scenario) => `${scenario} is listed and does not fail.`),
  ];
}
