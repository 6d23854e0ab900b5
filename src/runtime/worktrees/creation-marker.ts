export const creationSuffix = ".making";

/**
 * A folder beside a worktree that stands there while it is made, for what is needed only then, and tells of one whose maker
 * was killed.
 */
export function creationMarker(folder: string): string {
  return `${folder}${creationSuffix}`;
}
