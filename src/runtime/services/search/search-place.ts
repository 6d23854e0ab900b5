import type { SearchRoot } from "./search-root.ts";
import type { StatThread } from "./stat-thread.ts";

/** Where one search looks, how long, and which of the files it finds there it may tell of. */
export interface SearchPlace {
  readonly root: SearchRoot;
  readonly signal: AbortSignal;
  readonly statThread: StatThread;
  /** The name is relative to the root's folder. */
  mayShow(name: string): boolean;
}
