// Runs the official MCP conformance suite against the client, once for each protocol revision it has requirements for.
// With `--sample` only some scenarios run: one of each kind, and what the older revision alone requires.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { revisions, runScenario, runSuite } from "./conformance-suite.mjs";
import { openTurnstile } from "./conformance-turnstile.mjs";

const fixtures = fileURLToPath(new URL("../test/conformance/client/", import.meta.url));
const maxRunMs = 240_000;
// A scenario's time includes waiting for its turn; the client itself ends what hangs, long before this.
const maxScenarioMs = maxRunMs - 10_000;
// Two keep a small machine busy, and a third runs while they wait.
const clientsAtOnce = 3;
const [newest, older] = revisions;
const onlyOlder = ["elicitation-sep1034-client-defaults"];
const ofEachKind = ["auth/scope-step-up", "auth/pre-registration", "sep-2322-client-request-state"];
const isSample = process.argv.includes("--sample");

const folder = await mkdtemp(join(tmpdir(), "toolwright-conformance-results-"));
const turnstile = await openTurnstile(clientsAtOnce);
try {
  const environment = { ...process.env, CONFORMANCE_TURNSTILE: String(turnstile.port) };
  const command = `${process.execPath} ${join(fixtures, "client-fixture.ts")}`;
  const words = ["client", "--command", command, "--timeout", String(maxScenarioMs), "--verbose"];
  for (const revision of isSample ? [] : revisions) {
    const list = join(fixtures, `not-applicable-${revision}.yml`);
    const isAsListed = await runSuite(words, { revision, list, folder, maxRunMs, environment });
    if (!isAsListed) process.exitCode = 1;
  }
  const run = { folder, maxRunMs, environment };
  const sample = [
    ...ofEachKind.map((scenario) => ({ scenario, revision: newest })),
    ...onlyOlder.map((scenario) => ({ scenario, revision: older })),
  ];
  const passed = isSample
    ? await Promise.all(
        sample.map(({ scenario, revision }) => runScenario(words, scenario, { ...run, revision })),
      )
    : [];
  if (passed.includes(false)) process.exitCode = 1;
} finally {
  turnstile.close();
  await rm(folder, { recursive: true, force: true });
}
