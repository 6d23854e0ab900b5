import type { PathKind, Walked } from "./walk-path.ts";
import type { Roots } from "./workspace-roots.ts";

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
  /** Its name may hold secrets, but its content is what the repository shows to everybody who has it. */
  readonly isPublic?: boolean;
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
