// What running the official MCP conformance suite against the server and against the client have in common.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

const suite = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));

/** The protocols that it names requirements of. */
export const revisions = ["2026-07-28", "2025-11-25"];

/**
 * Runs it with all that one protocol requires, prints what came of it, and tells whether that is what the list says:
 * a scenario that fails and is not listed is a failure, as is one that is listed and does not fail.
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

async function run(words, { folder, maxRunMs, environment }) {
  const child = spawn(process.execPath, [suite, ...words], {
    // It writes its results where it is started.
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "pipe"],
    // It ends none of the clients that it starts, so they are ended with it.
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
  if (signal !== null) output += `\nThe suite was ended by ${signal}; it may take ${maxRunMs} ms.\n`;
  return { exitCode, output };
}

/** The suite compares what is required with the list; what it runs beyond that is compared here. */
function surprisesOf(output, list) {
  const listed = new Set([...list.matchAll(/^ {2}- ([^\s:]+)/gm)].map(([, scenario]) => scenario));
  const results = [...output.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed(?:, \d+ warnings)?$/gm)];
  const failed = new Set(results.filter(([, mark]) => mark === "✗").map(([, , scenario]) => scenario));
  return [
    ...[...failed.difference(listed)].map((scenario) => `${scenario} fails and is not listed.`),
    ...[...listed.difference(failed)].map((scenario) => `${scenario} is listed and does not fail.`),
  ];
}
