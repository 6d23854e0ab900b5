/** A separate working tree on its own branch, for one sub-agent. Plain data: another process can finish it. */
export interface Worktree {
  /** The worktree's own folder. */
  readonly folder: string;
  /** The workspace inside it, at the same place below the repository's top as the parent's workspace. */
  readonly root: string;
  readonly branch: string;
  /** The commit it begins at. */
  readonly base: string;
  /** The base includes uncommitted changes of the parent's working tree. */
  readonly hasUncommitted: boolean;
  /** The repository's git folder (git's common dir), which commands in the worktree have to read. */
  readonly gitFolder: string;
  /** The top of the parent's working tree. */
  readonly repository: string;
}
