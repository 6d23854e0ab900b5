/** Copies one folder after the other onto a third until it is killed: `<workspace>`. */

import { createFreshnessPool } from "../../../src/capabilities/files/freshness-pool.ts";
import { openWorkspace } from "../../../src/capabilities/files/workspace.ts";
import { unguardedGate } from "../../../src/kernel/policy/gate.ts";
import { noBlobs } from "../../../src/kernel/store/blobs/blob-store.ts";

const [root = ""] = process.argv.slice(2);
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
for (;;) {
  for (const from of ["a", "b"]) {
    await files.copy(from, "to", { overwrite: true });
    console.log(from);
  }
}
