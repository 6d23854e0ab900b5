import type { FileScope } from "./file-scope.ts";
import { createFreshnessPool } from "./freshness-pool.ts";
import { noBlobs } from "./undo/blob-store.ts";

/** For who only reads: no read is remembered, and a change would only be planned. */
export function readingScope(signal: AbortSignal): FileScope {
  return {
    signal,
    freshness: createFreshnessPool(),
    blobs: noBlobs,
    onChange: () => {},
    mode: "preview",
    requireReadBeforeWrite: false,
  };
}
