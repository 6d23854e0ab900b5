/**
 * For what need not be there. Anything else that goes wrong, such as too many open files, must not be taken for a worktree
 * that is gone.
 */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
