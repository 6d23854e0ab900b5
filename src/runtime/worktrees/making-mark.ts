/** A file beside a worktree that stands there while it is made, and tells of one whose maker was killed. */
export function makingMark(folder: string): string {
  return `${folder}.making`;
}
