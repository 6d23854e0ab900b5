import type { PermissionClass } from "../../tool/permission-request.ts";
import type { SandboxProfile } from "../sandbox/sandbox.ts";
import type { JudgedRequest } from "./decide.ts";
import type { Verdict } from "./verdict.ts";

/** In what bounds a command runs that was let through. */
export interface Bounds {
  readonly profile: SandboxProfile;
  /** Absolute; where it was decided that the command runs. */
  readonly directory: string;
  /** Absolute; what others may not touch, outside the workspace or sensitive, and this command was let. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  readonly category?: string;
}

/** The class of what a command does chooses its bounds; no verdict removes them. */
const profiles: Record<PermissionClass, SandboxProfile> = {
  read: "read-only",
  interact: "read-only",
  write: "workspace-write",
  network: "network",
  execute: "network",
};

/** What is outside or asked about by the floor is out of bounds for a sandbox, too, unless it was let through. */
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
    // What writes weighs more than what calls out, and may do both.
    profile: effects.hosts.length > 0 ? "network" : profiles[permissionClass],
    directory,
    readable: lifted("read"),
    writable: lifted("write"),
    ...(category !== undefined && { category }),
  };
}
