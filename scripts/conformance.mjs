// Runs the official MCP conformance suite against the server, once for each protocol revision it has requirements for.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { revisions, runSuite } from "./conformance-suite.mjs";

const fixtureFile = fileURLToPath(new URL("../test/conformance/serve-fixture.ts", import.meta.url));
// A run takes seconds; this limit is for a server that hangs.
const maxRunMs = 140_000;

const fixture = spawn(process.execPath, [fixtureFile], {
  stdio: ["pipe", "pipe", "inherit"],
});
const folder = await mkdtemp(join(tmpdir(), "toolwright-conformance-results-"));
try {
  const ended = once(fixture, "exit").then(() => Promise.reject(new Error("the fixture did not start")));
  const started = once(createInterface(fixture.stdout), "line", { signal: AbortSignal.timeout(60_000) });
  const [url] = await Promise.race([started, ended]);
  for (const revision of revisions) {
    const list = join(dirname(fixtureFile), `not-applicable-${revision}.yml`);
    const isAsListed = await runSuite(["server", "--url", url], { revision, list, folder, maxRunMs });
    if (!isAsListed) process.exitCode = 1;
  }
} finally {
  fixture.stdin.end();
  setTimeout(() => fixture.kill("SIGKILL"), 20_000).unref();
  if (fixture.exitCode === null && fixture.signalCode === null) await once(fixture, "exit");
  await rm(folder, { recursive: true, force: true });
}
