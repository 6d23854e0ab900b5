import { type FileChange, isSameState, type PathState } from "./file-change.ts";

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
