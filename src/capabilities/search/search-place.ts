import type { Visibility } from "../../kernel/policy/index.ts";
import type { SearchRoot } from "./search-root.ts";
import type { StatThread } from "./stat-thread.ts";

/** Where a search looks, for how long, and which files it may show. */
export interface SearchPlace {
  readonly root: SearchRoot;
  readonly signal: AbortSignal;
  readonly statThread: StatThread;
  /** Folders whose programs are never run. */
  readonly untrusted: readonly string[];
  /** Patterns for everything that git ignores; undefined if ripgrep is to read the ignore files itself. */
  readonly ignoreFile: string | undefined;
  /** The name is relative to the root's folder. */
  visibilityOf(name: string): Visibility;
  mayShow(name: string): boolean;
}
