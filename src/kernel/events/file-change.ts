/** The state of a path: enough to notice a change and to restore it. */
export type PathState =
  | { readonly kind: "missing" }
  | {
      readonly kind: "file";
      /** SHA-256 of the bytes. */
      readonly hash: string;
      readonly mode: number;
      readonly sizeBytes: number;
      readonly owner?: Owner;
    }
  | { readonly kind: "directory"; readonly mode: number; readonly owner?: Owner }
  | { readonly kind: "link"; readonly target: string; readonly owner?: Owner };

/** The owner of a file; given only if that is not the user that runs this process. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

export interface FileChange {
  /** Canonical and absolute. */
  readonly path: string;
  readonly before: PathState;
  readonly after: PathState;
}

export const missing: PathState = { kind: "missing" };

export function isSameState(one: PathState, other: PathState): boolean {
  if (one.kind === "file" && other.kind === "file") return one.hash === other.hash && one.mode === other.mode;
  if (one.kind === "directory" && other.kind === "directory") return one.mode === other.mode;
  if (one.kind === "link" && other.kind === "link") return one.target === other.target;
  return one.kind === "missing" && other.kind === "missing";
}
