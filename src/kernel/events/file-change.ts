/** The state of a path: enough to notice a change and to restore it. */
export type PathState =
  | { readonly kind: "missing" }
  | {
      readonly kind: "file";
      /** SHA-256 of the bytes. */
      readonly hash: string;
      readonly mode: number;
      readonly sizeBytes: number;
      readonly owner?: Owner;
    }
  | { readonly kind: "directory"; readonly mode: number; readonly owner?: Owner }
  | { readonly kind: "link"; readonly target: string; readonly owner?: Owner };

/** The owner of a file; given only if that is not the user that runs this process. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface FileChange {
  /** Canonical and absolute. */
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
}

export const missing: PathState = { kind: "missing" };

export function isSameState(one: PathState, other: PathState): boolean {
  if (one.kind === "file" && other.kind === "file") return one.hash === other.hash && one.mode === other.mode;
  if (one.kind === "directory" && other.kind === "directory") return one.mode === other.mode;
  if (one.kind === "link" && other.kind === "link") return one.target === other.target;
  return one.kind === "missing" && other.kind === "missing";
}

/** A path's state after its last change (`is`) and before its first (`was`). */
export interface NetChange {
  readonly path: string;
  readonly is: PathState;
  readonly was: PathState;
}

/** The net changes: one for each path that ended up different, each folder before its content. */
export function netChanges(changes: readonly FileChange[]): NetChange[] {
  const nets = new Map<string, NetChange>();
  for (const { path, before, after } of changes) {
    nets.set(path, { path, is: after, was: nets.get(path)?.was ?? before });
  }
  return [...nets.values()]
    .filter(({ is, was }) => !isSameState(is, was))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}

/**
 * The changes of two attempts at one call. If another process has changed a path in between, only the later attempt
 * counts: undo restores that other change.
 */
export function joinChanges(earlier: readonly FileChange[], later: readonly FileChange[]): FileChange[] {
  const left = new Map<string, PathState>(earlier.map(({ path, after }) => [path, after]));
  const found = new Map<string, PathState>(later.toReversed().map(({ path, before }) => [path, before]));
  const isContinued = ({ path }: FileChange) => {
    const state = found.get(path);
    return state === undefined || isSameState(state, left.get(path)!);
  };
  return [...earlier.filter(isContinued), ...later];
}
