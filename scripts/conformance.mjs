// Runs the official MCP conformance suite against the server, once for each protocol it names requirements of.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const suite = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const fixtureFile = fileURLToPath(new URL("../test/conformance/serve-fixture.ts", import.meta.url));
const revisions = ["2026-07-28", "2025-11-25"];

const fixture = spawn(process.execPath, [fixtureFile], {
  stdio: ["pipe", "pipe", "inherit"],
});
// The suite writes its results where it is started.
const folder = await mkdtemp(join(tmpdir(), "toolwright-conformance-results-"));
try {
  const ended = once(fixture, "exit").then(() => Promise.reject(new Error("the fixture did not start")));
  const [url] = await Promise.race([once(createInterface(fixture.stdout), "line"), ended]);
  for (const revision of revisions) {
    const { exitCode, output } = await runSuite(url, revision);
    console.log(`Protocol ${revision}\n${output.slice(Math.max(0, output.indexOf("=== SUMMARY")))}`);
    if (exitCode !== 0) process.exitCode = 1;
  }
} finally {
  fixture.stdin.end();
  if (fixture.exitCode === null) await once(fixture, "exit");
  await rm(folder, { recursive: true, force: true });
}

async function runSuite(url, revision) {
  const baseline = join(dirname(fixtureFile), `not-applicable-${revision}.yml`);
  const words = ["server", "--url", url, "--requirements", revision, "--expected-failures", baseline];
  const child = spawn(process.execPath, [suite, ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  const [exitCode] = await once(child, "close");
  return { exitCode, output };
}
