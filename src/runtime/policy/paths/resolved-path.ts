import type { PathKind, Walked } from "./walk-path.ts";
import type { Roots } from "./workspace-roots.ts";

export interface ResolvedPath {
  /** Absolute, without links; for what does not exist yet, where it would come to be. */
  readonly canonical: string;
  /** Relative to the root, `.` for the root itself; undefined where the path is not beneath it. */
  readonly relative: string | undefined;
  readonly inside: boolean;
  readonly kind: PathKind;
}

export function toResolvedPath({ canonical, kind }: Walked, roots: Roots): ResolvedPath {
  return {
    canonical,
    relative: roots.relative(canonical),
    inside: roots.contains(canonical),
    kind,
  };
}
