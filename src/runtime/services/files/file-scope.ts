import type { PathAction } from "../../policy/paths/judge-path.ts";
import type { FreshnessPool } from "./freshness-pool.ts";
import type { BlobStore } from "./undo/blob-store.ts";
import type { FileChange } from "./undo/file-change.ts";

/** What the files of one call belong to. */
export interface FileScope {
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
  /**
   * Refuses, by throwing, what may not be touched. Asked with the path that is then opened, without links: whatever was
   * decided on before may have been swapped for a link since.
   */
  readonly admit?: (action: TouchAction, canonical: string) => Promise<void>;
}

/** Seeing the names in a folder is less than reading it. */
export type TouchAction = PathAction | "list";
