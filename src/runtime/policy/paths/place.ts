import type { PathKind, Walked } from "./walk-path.ts";
import type { Roots } from "./workspace-roots.ts";

/** Where a path leads, as it was written and as it really is. */
export interface Place extends Walked {
  /** As the caller wrote it. */
  readonly written: string;
  /** Absolute, without links; for what does not exist yet, where it would come to be. */
  readonly canonical: string;
  /** Relative to the root, `.` for the root itself; undefined where the path is not beneath it. */
  readonly relative: string | undefined;
  readonly inside: boolean;
  readonly kind: PathKind;
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
