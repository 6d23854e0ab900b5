/**
 * For what need not be there. Anything else that goes wrong, such as too many open files, must not be taken for a worktree
 * that is gone.
 */
export function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (!missing.has(error.code ?? "")) throw error;
}

// What others made so that we cannot read it is none of ours.
const missing = new Set(["ENOENT", "ENOTDIR", "EACCES"]);
