export const creationSuffix = ".making";

/**
 * A folder beside a worktree that exists only while the worktree is created. It holds temporary files, and if it is left,
 * the process that created the worktree was killed.
 */
export function creationMarker(folder: string): string {
  return `${folder}${creationSuffix}`;
}
