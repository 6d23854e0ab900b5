import type { Visibility } from "../../policy/gate.ts";
import type { SearchRoot } from "./search-root.ts";
import type { StatThread } from "./stat-thread.ts";

/** Where a search looks, for how long, and which files it may show. */
export interface SearchPlace {
  readonly root: SearchRoot;
  readonly signal: AbortSignal;
  readonly statThread: StatThread;
  /** The name is relative to the root's folder. */
  visibilityOf(name: string): Visibility;
  mayShow(name: string): boolean;
}
