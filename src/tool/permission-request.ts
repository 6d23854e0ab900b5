import { knownKeys, value } from "../shared/options/known-keys.ts";

export const permissionClasses = ["read", "write", "execute", "network", "interact"] as const;

export type PermissionClass = (typeof permissionClasses)[number];

/** One thing that a call wants to do, as the tool declares it. Rules, mode and floor decide on it. */
export interface PermissionRequest {
  readonly action: PermissionClass;
  /**
   * A path for `read` and `write`, a command for `execute`, a host for `network`; for `interact`, the kind of agent that
   * it spawns, if it does.
   */
  readonly target?: string;
  /** Acts on a link itself, as deleting does, and not on the link's target. */
  readonly isLinkItself?: boolean;
  /** Also touches everything in these folders, in place or under the same names beneath the target. */
  readonly treesOf?: readonly string[];
  /** A separate program touches the path. Outside the workspace it asks, where one of our tools would be refused. */
  readonly byProgram?: boolean;
  /** Sends something to the host that may change it: asks in every mode, whatever rules allow. */
  readonly sends?: boolean;
  /** Connects by the `web` service, which does not reach this machine or private networks. */
  readonly isGuarded?: boolean;
  /**
   * Connects to the host by https, or in another way that cannot be read on the way. Secrets for certain hosts need it.
   */
  readonly isEncrypted?: boolean;
  /** Reads or writes this database of the option `databases`, in place of a target. */
  readonly database?: string;
  /** The target of an `execute` is a script in this language, whose commands are read and judged. */
  readonly script?: "bash";
  /** Where the script runs. Default: the session's current directory. */
  readonly directory?: string;
}

export const permissionRequestKeys = knownKeys<PermissionRequest>({
  action: value,
  target: value,
  isLinkItself: value,
  treesOf: value,
  script: value,
  database: value,
  directory: value,
  byProgram: value,
  isGuarded: value,
  isEncrypted: value,
  sends: value,
});
