import type { PathKind, Place, ResolveOptions } from "../../machine/paths/index.ts";
import type { Bounds } from "./bounds.ts";
import type { Floor, PathAction } from "./paths/judge-path.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";
import type { ListTree, TreeUse } from "./restricted-names.ts";

/** The only way from a service to policy. A service asks about exactly the place that it is about to open for a call. */
export interface Gate {
  /** Resolves a path as it is on disk now. */
  locate(path: string, options?: ResolveOptions): Promise<Place>;
  /**
   * Resolves a path, and throws a ToolError unless the call may do all of these actions with the place. For a kind of file
   * that is wanted, the place that the path led to when the call was judged counts once: only for callers that notice on
   * opening it if the path has been swapped since.
   */
  enter(path: string, actions: readonly PathAction[], how: EnterOptions): Promise<Place>;
  /** Throws a ToolError unless the call may read this place. */
  read(place: Place): Promise<void>;
  write(place: Place): Promise<void>;
  /** The allow rule that names this very place, and not a folder or a pattern, if there is one. */
  ruleNaming(place: Place): string | undefined;
  mayRead(place: Place): Promise<boolean>;
  /** Admits a whole folder, judging every entry that a rule or the floor restricts on its own. */
  tree(folder: Place, use: Omit<TreeUse, "from">, list: ListTree): Promise<void>;
  /** A test for whether the call may see a file that a search or a listing found. */
  visibility(): (file: SeenFile) => Visibility;
  /** Returns the sandbox bounds for a command, or throws a ToolError if the call may not run it. */
  run(command: string, directory: string | undefined): Promise<Bounds>;
  /**
   * Throws a ToolError unless the call may connect to this host, given by its name, address or URL; with `sends`, also send
   * it something that may change it.
   */
  reach(host: string, use?: { sends: boolean }): Promise<Reach>;
  /** Throws a ToolError unless the call may spawn an agent of this kind; undefined for one without a kind. */
  spawn(kind: string | undefined): Promise<void>;
  /**
   * Forgets where paths led when the call was judged; to be called after anything that may have changed the disk, such as
   * waiting for a person.
   */
  forget(): void;
}

export interface Reach {
  /** A rule of the user names this very host, so it may be on this machine or in a private network. */
  readonly isNamed: boolean;
}

export interface EnterOptions extends ResolveOptions {
  /** Whether a place of this kind needs no second look. */
  isWanted(kind: PathKind): boolean;
}

/** Whether a file may be shown: yes, only after approval, or not at all, so that not even its name appears. */
export type Visibility = "shown" | "withheld" | "hidden";

/** A file that a search or a listing found. */
export interface SeenFile {
  readonly absolute: string;
  readonly relative: string | undefined;
  readonly isInside: boolean;
  readonly floor?: Floor;
}

/** Allows everything except commands: for reads outside any call, and for tests of services. */
export function unguardedGate(paths: Pick<WorkspacePaths, "resolve">): Gate {
  const pass = async () => {};
  return {
    locate: paths.resolve,
    enter: (path, _actions, how) => paths.resolve(path, how),
    read: pass,
    write: pass,
    ruleNaming: () => undefined,
    mayRead: async () => true,
    tree: pass,
    visibility: () => () => "shown",
    reach: async () => ({ isNamed: false }),
    spawn: pass,
    async run(command) {
      throw new Error(`no policy here can decide on the command ${command}`);
    },
    forget() {},
  };
}
