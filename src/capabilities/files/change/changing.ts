import type { FileChange } from "../../../kernel/events/index.ts";
import type { BlobStore } from "../../../kernel/store/index.ts";
import type { FreshnessPool } from "../freshness-pool.ts";
import type { Intent } from "../intents/intent.ts";
import type { Tree } from "../tree/tree.ts";

/** What every change to files needs. */
export interface Changing {
  /** Writes each step down in the intent before it makes it. */
  readonly tree: Tree;
  readonly intent: Intent;
  readonly freshness: FreshnessPool;
  /** Earlier contents of files. */
  readonly blobs: BlobStore;
  readonly signal: AbortSignal;
  readonly requireReadBeforeWrite: boolean;
  /** Reports a change that was made (or planned, in a preview), with the contents that are known already. */
  report(change: FileChange, contents?: ChangedContents): void;
  /** A canonical path as the caller's tools take it. */
  nameOf(canonical: string): string;
  /** A canonical path for the heading of a diff, always relative to the workspace if it is inside. */
  diffNameOf(canonical: string): string;
}

/** A file's bytes before and after a change, and the unified diff of its texts, as far as they are known. */
export interface ChangedContents {
  readonly before?: Buffer | undefined;
  readonly after?: Buffer | undefined;
  readonly diff?: string | undefined;
}
