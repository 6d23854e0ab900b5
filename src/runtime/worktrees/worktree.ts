/** A working tree of its own for somebody to work in, on a branch of its own. Plain data: another process can finish it. */
export interface Worktree {
  /** The worktree's own folder. */
  readonly folder: string;
  /** Where the workspace is inside it: the same place below the repository's top as the parent's workspace. */
  readonly root: string;
  readonly branch: string;
  /** The commit it begins at. */
  readonly base: string;
  /** The base holds what was not committed in the parent's tree, too. */
  readonly hasUncommitted: boolean;
  /** The repository's own folder (git's common dir): commands in the worktree have to read it. */
  readonly gitFolder: string;
  /** The top of the parent's working tree. */
  readonly repository: string;
}
