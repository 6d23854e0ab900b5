import type { FileChange } from "../../events/file-change.ts";
import type { Gate } from "../../policy/gate.ts";
import type { FreshnessPool } from "./freshness-pool.ts";
import type { BlobStore } from "./undo/blob-store.ts";

/** What the files of one call belong to. */
export interface FileScope {
  /** Asked about every path, with what is then opened. */
  readonly gate: Gate;
  readonly signal: AbortSignal;
  readonly freshness: FreshnessPool;
  readonly blobs: BlobStore;
  /** Called for every change as it is made (or planned, in a preview), in order. */
  readonly onChange: (change: FileChange) => void;
  /**
   * In a preview nothing is touched: writes go to an overlay that later reads of the same scope see, and `preview()`
   * gives the unified diff of all that would change.
   */
  readonly mode: "apply" | "preview";
  readonly requireReadBeforeWrite: boolean;
}
