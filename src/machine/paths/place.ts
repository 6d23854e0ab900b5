import type { Roots } from "../../shared/files/workspace-roots.ts";
import { disk, type FileSystemView, type PathKind, type Walked, walkPath } from "./walk-path.ts";

/** A path as written, and where it really leads. */
export interface Place extends Walked {
  /** As the caller wrote it. */
  readonly written: string;
  /** Absolute, without links; for a missing file, where it would be created. */
  readonly canonical: string;
  /** Relative to the root, `.` for the root itself; undefined if outside of it. */
  readonly relative: string | undefined;
  readonly inside: boolean;
  readonly kind: PathKind;
  /** Its name may hold secrets, but everybody who has the repository has its content. */
  readonly isPublic?: boolean;
}

export interface ResolveOptions {
  /** False for actions on a link itself, such as deleting it. */
  readonly followLast?: boolean;
  /** The file system to resolve on. Default: the disk. */
  readonly view?: FileSystemView;
}

/** Resolves a path as the system would. Throws if it is not a valid path, or leads nowhere inside the roots. */
export async function resolvePlace(
  path: string,
  roots: Roots,
  { followLast = true, view = disk }: ResolveOptions = {},
): Promise<Place> {
  const outcome = await walkPath(path, { from: roots.root, followLast, view });
  if (outcome.status === "reached") return toPlace(path, outcome, roots);
  if (roots.mayRead(outcome.stoppedAt)) throw outcome.error;
  // Outside the workspace, the error would reveal which files there are.
  return toPlace(path, { canonical: outcome.stoppedAt, kind: "missing", links: [] }, roots);
}

export function toPlace(written: string, { canonical, kind, links }: Walked, roots: Roots): Place {
  return {
    written,
    canonical,
    relative: roots.relative(canonical),
    inside: roots.contains(canonical),
    kind,
    links,
  };
}
