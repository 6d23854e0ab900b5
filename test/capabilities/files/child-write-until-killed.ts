/** Keeps overwriting a file with new versions, and prints a line after each: `<root> <file>`. */

import { createFreshnessPool } from "../../../src/capabilities/files/freshness-pool.ts";
import { openWorkspace } from "../../../src/capabilities/files/workspace.ts";
import { unguardedGate } from "../../../src/kernel/policy/gate.ts";
import { noBlobs } from "../../../src/kernel/store/blobs/blob-store.ts";

const [root = "", file = ""] = process.argv.slice(2);
const workspace = await openWorkspace({ root });
const files = workspace.files({
  gate: unguardedGate(workspace),
  signal: new AbortController().signal,
  freshness: createFreshnessPool(),
  blobs: noBlobs,
  onChange: () => {},
  mode: "apply",
  requireReadBeforeWrite: false,
});
for (let version = 0; ; version++) {
  const line = `version ${version} ${"x".repeat(80)}\n`;
  await (version % 2 === 0
    ? files.writeText(file, line.repeat(3000))
    : files.updateText(file, () => line.repeat(3000)));
  process.stdout.write(`${version}\n`);
}
