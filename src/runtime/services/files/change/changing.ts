import type { FileChange } from "../../../events/file-change.ts";
import type { FreshnessPool } from "../freshness-pool.ts";
import type { Tree } from "../tree/tree.ts";

/** What everything that changes files works with. */
export interface Changing {
  readonly tree: Tree;
  readonly freshness: FreshnessPool;
  readonly signal: AbortSignal;
  /** Tells of a change that was made (or planned, in a preview). */
  report(change: FileChange): void;
  /** A canonical path as the caller would write it. */
  nameOf(canonical: string): string;
}
