import type { Bounds } from "./bounds.ts";
import type { Floor } from "./paths/judge-path.ts";
import type { Place } from "./paths/place.ts";
import type { FileSystemView } from "./paths/walk-path.ts";
import type { ListTree, TreeUse } from "./restricted-names.ts";

/** The door to policy for whatever opens something in a call's name: asked with what is then opened. */
export interface Gate {
  /** Where a path leads, looked at now. */
  locate(path: string, options?: LocateOptions): Promise<Place>;
  /**
   * Where a path led when the call was judged, once, for whoever opens it in a way that tells if it leads elsewhere by now.
   * Undefined where that is not known, or may have changed.
   */
  recall(path: string): Place | undefined;
  /** Lets the call read what is at a place, or refuses by throwing. */
  read(place: Place): Promise<void>;
  write(place: Place): Promise<void>;
  mayRead(place: Place): Promise<boolean>;
  /** A folder is not let through as a whole where a rule, or the floor, speaks of something in it. */
  tree(folder: Place, use: Omit<TreeUse, "from">, list: ListTree): Promise<void>;
  /** Whether the call may be told of what a search came upon. */
  visibility(): (file: SeenFile) => boolean;
  /** Lets the call run a command, and says in what bounds. */
  run(command: string, directory: string | undefined): Promise<Bounds>;
  /** Something was done, or somebody was waited for: what was known of paths may no longer hold. */
  forget(): void;
}

export interface LocateOptions {
  readonly followLast?: boolean;
  /** What the path is walked over, where that is not the disk. */
  readonly view?: FileSystemView;
}

/** A file that a search came upon. */
export interface SeenFile {
  readonly absolute: string;
  readonly relative: string | undefined;
  readonly isInside: boolean;
  readonly floor?: Floor;
}
