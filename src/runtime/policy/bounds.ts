import type { PermissionClass } from "../../tool/permission-request.ts";
import type { SandboxProfile } from "../sandbox/sandbox.ts";
import type { JudgedRequest } from "./decide.ts";
import type { Verdict } from "./verdict.ts";

/** The sandbox bounds of a command that was allowed. */
export interface Bounds {
  readonly profile: SandboxProfile;
  /** Absolute; the directory the verdict was about. */
  readonly directory: string;
  /** Absolute; sensitive paths, and paths outside the workspace, that only this command may touch. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly category?: string;
}

/** A command's permission class selects its sandbox profile; no verdict lifts the sandbox. */
const profiles: Record<PermissionClass, SandboxProfile> = {
  read: "read-only",
  interact: "read-only",
  write: "workspace-write",
  network: "network",
  execute: "network",
};

/**
 * The sandbox also blocks paths outside the workspace and paths the floor asks about, except those this verdict allowed.
 */
export function boundsOf(
  { permissionClass, category, effects }: Verdict,
  directory: string,
  requests: readonly JudgedRequest[],
): Bounds {
  const lifted = (action: PermissionClass) =>
    requests.flatMap((request) =>
      request.action === action && request.path && (request.floor || !request.path.isInside)
        ? [request.path.real.absolute]
        : [],
    );
  return {
    // `write` outweighs `network`, so a command that does both has class `write` and still needs the network.
    profile: effects.hosts.length > 0 ? "network" : profiles[permissionClass],
    directory,
    readable: lifted("read"),
    writable: lifted("write"),
    ...(category !== undefined && { category }),
  };
}
