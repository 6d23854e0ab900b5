// Runs the official MCP conformance suite against the server, once for each protocol it names requirements of.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const suite = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const fixtureFile = fileURLToPath(new URL("../test/conformance/serve-fixture.ts", import.meta.url));
const revisions = ["2026-07-28", "2025-11-25"];
// It takes seconds; a server that hangs must not take the rest of the day.
const maxRunMs = 100_000;

const fixture = spawn(process.execPath, [fixtureFile], {
  stdio: ["pipe", "pipe", "inherit"],
});
// The suite writes its results where it is started.
const folder = await mkdtemp(join(tmpdir(), "toolwright-conformance-results-"));
try {
  const ended = once(fixture, "exit").then(() => Promise.reject(new Error("the fixture did not start")));
  const started = once(createInterface(fixture.stdout), "line", { signal: AbortSignal.timeout(60_000) });
  const [url] = await Promise.race([started, ended]);
  for (const revision of revisions) {
    const list = join(dirname(fixtureFile), `not-applicable-${revision}.yml`);
    const { exitCode, output } = await runSuite(url, revision, list);
    console.log(`Protocol ${revision}\n${output.slice(Math.max(0, output.indexOf("=== SUMMARY")))}`);
    const surprises = surprisesOf(output, await readFile(list, "utf8"));
    for (const surprise of surprises) console.log(surprise);
    if (exitCode !== 0 || surprises.length > 0) process.exitCode = 1;
  }
} finally {
  fixture.stdin.end();
  setTimeout(() => fixture.kill("SIGKILL"), 20_000).unref();
  if (fixture.exitCode === null && fixture.signalCode === null) await once(fixture, "exit");
  await rm(folder, { recursive: true, force: true });
}

async function runSuite(url, revision, list) {
  const words = ["server", "--url", url, "--requirements", revision, "--expected-failures", list];
  const child = spawn(process.execPath, [suite, ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: maxRunMs,
    killSignal: "SIGKILL",
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const [exitCode, signal] = await once(child, "close");
  if (signal !== null) output += `\nThe suite was ended by ${signal}; it may take ${maxRunMs} ms.\n`;
  return { exitCode, output };
}

/** The suite compares what is required with the list; what it runs beyond that is compared here. */
function surprisesOf(output, list) {
  const listed = new Set([...list.matchAll(/^ {2}- ([^\s:]+)/gm)].map(([, scenario]) => scenario));
  const results = [...output.matchAll(/^([✓✗]) (\S+): \d+ passed, \d+ failed$/gm)];
  const failed = new Set(results.filter(([, mark]) => mark === "✗").map(([, , scenario]) => scenario));
  return [
    ...[...failed.difference(listed)].map((scenario) => `${scenario} fails and is not listed.`),
    ...[...listed.difference(failed)].map((scenario) => `${scenario} is listed and does not fail.`),
  ];
}
