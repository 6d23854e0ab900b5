import type { FileChange } from "../../kernel/events/index.ts";
import type { Gate } from "../../kernel/policy/index.ts";
import type { BlobStore } from "../../kernel/store/index.ts";
import type { ChangedContents } from "./change/changing.ts";
import type { FreshnessPool } from "./freshness-pool.ts";
import type { Intent } from "./intents/intent.ts";

/** Everything one call's access to files depends on. */
export interface FileScope {
  /** The gate is asked about every path, resolved to the file that is then opened. */
  readonly gate: Gate;
  readonly signal: AbortSignal;
  readonly freshness: FreshnessPool;
  readonly blobs: BlobStore;
  /** Called for every change as it is made (or planned, in a preview), in order, with the contents known already. */
  readonly onChange: (change: FileChange, contents?: ChangedContents) => void;
  /**
   * A preview touches nothing: writes go to an overlay that later reads in the same scope see, and `preview()`
   * returns the unified diff of everything that would change.
   */
  readonly mode: "apply" | "preview";
  readonly requireReadBeforeWrite: boolean;
  /** Begins to write down a change in these folders. Default: nothing is written down. */
  readonly beginIntent?: ((roots: readonly string[]) => Intent) | undefined;
  /** Throws if the session belongs to another process by now. Asked before each step of a change. */
  readonly confirmOwner?: (() => void) | undefined;
  /** Default: paths are shown relative to the workspace. */
  readonly showsAbsolutePaths?: boolean;
}
