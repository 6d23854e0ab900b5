import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { FileScope } from "../../../src/capabilities/files/file-scope.ts";
import { createFreshnessPool } from "../../../src/capabilities/files/freshness-pool.ts";
import { openWorkspace } from "../../../src/capabilities/files/workspace.ts";
import type { FileChange } from "../../../src/kernel/events/file-change.ts";
import { unguardedGate } from "../../../src/kernel/policy/gate.ts";
import type { WorkspaceOptions } from "../../../src/kernel/policy/paths/workspace-paths.ts";
import { openBlobStore } from "../../../src/kernel/store/blobs/blob-store.ts";
import { type Contents, putFiles, temporaryFolder } from "../../support/temporary-folder.ts";

/** A workspace `work` with a folder `outside` next to it, both removed after the test; `changes` collects all changes. */
export async function temporaryWorkspace(contents: Contents = {}, options: Partial<WorkspaceOptions> = {}) {
  const base = temporaryFolder();
  const root = join(base, "work");
  const outside = join(base, "outside");
  await Promise.all([mkdir(root), mkdir(outside)]);
  putFiles(root, contents);
  const workspace = await openWorkspace({ root, ...options });
  const blobs = await openBlobStore(join(base, "blobs"));
  const changes: FileChange[] = [];
  const scope: FileScope = {
    gate: unguardedGate(workspace),
    signal: new AbortController().signal,
    freshness: createFreshnessPool(),
    blobs,
    onChange: (change) => changes.push(change),
    mode: "apply",
    requireReadBeforeWrite: false,
  };
  const files = workspace.files(scope);
  return { base, root, outside, workspace, files, scope, changes };
}
