import { type FileChange, isSameState, type PathState } from "../../events/file-change.ts";

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
