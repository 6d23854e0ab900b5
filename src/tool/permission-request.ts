export const permissionClasses = ["read", "write", "execute", "network", "interact"] as const;

export type PermissionClass = (typeof permissionClasses)[number];

/** What one call wants to do, as its tool declares it from the input; rules, modes and the floor decide on it. */
export interface PermissionRequest {
  readonly action: PermissionClass;
  /** A path for `read` and `write`, a command for `execute`, a host for `network`. */
  readonly target?: string;
  /** It acts on a link itself, as deleting one does, and not on what the link leads to. */
  readonly isLinkItself?: boolean;
  /** All that lies in these folders is touched too: where it is, or under the same names beneath the target. */
  readonly treesOf?: readonly string[];
  /** The target of an `execute` is a script in this language: what it would do is read from it and decided on. */
  readonly script?: "bash";
  /** Where the script runs; the session's current directory by default. */
  readonly directory?: string;
}
