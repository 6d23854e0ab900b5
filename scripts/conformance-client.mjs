// Runs the official MCP conformance suite against the client, once for each protocol it names requirements of.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const suite = fileURLToPath(import.meta.resolve("@modelcontextprotocol/conformance/dist/index.js"));
const fixtures = fileURLToPath(new URL("../test/conformance/client/", import.meta.url));
// The suite starts the client anew for every scenario, and all of them at once.
const maxScenarioMs = 120_000;
const maxRunMs = 180_000;

// The suite writes its results where it is started.
const folder = await mkdtemp(join(tmpdir(), "toolwright-conformance-results-"));
try {
  for (const revision of ["2026-07-28", "2025-11-25"]) {
    const { exitCode, output } = await runSuite(revision);
    console.log(`Protocol ${revision}\n${output.slice(Math.max(0, output.indexOf("=== SUITE SUMMARY")))}`);
    if (exitCode !== 0) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function runSuite(revision) {
  const command = `${process.execPath} ${join(fixtures, "client-fixture.ts")}`;
  const list = join(fixtures, `not-applicable-${revision}.yml`);
  const what = ["--requirements", revision, "--expected-failures", list];
  const words = ["client", "--command", command, "--timeout", String(maxScenarioMs), ...what];
  const child = spawn(process.execPath, [suite, ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: maxRunMs,
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
