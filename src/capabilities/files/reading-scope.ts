import type { WorkspacePaths } from "../../kernel/policy/paths/workspace-paths.ts";
import { unguardedGate } from "../../kernel/policy/unguarded-gate.ts";
import { noBlobs } from "../../kernel/store/blobs/blob-store.ts";
import type { FileScope } from "./file-scope.ts";
import { createFreshnessPool } from "./freshness-pool.ts";

/** A scope for reading outside any call: reads are not remembered, and changes would only be planned. */
export function readingScope(paths: WorkspacePaths): FileScope {
  return {
    gate: unguardedGate(paths),
    signal: new AbortController().signal,
    freshness: createFreshnessPool(),
    blobs: noBlobs,
    onChange: () => {},
    mode: "preview",
    requireReadBeforeWrite: false,
  };
}
