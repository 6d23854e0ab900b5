/**
 * For files that may be missing. Any other error, such as too many open files, must not be mistaken for a worktree that
 * is gone.
 */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
