import type { SandboxBounds, SandboxProfile } from "../../machine/sandbox/index.ts";
import type { PermissionClass } from "../../tool/permission-request.ts";
import type { Limits } from "./confinement/confinement.ts";
import type { JudgedRequest } from "./rules/match-request.ts";
import type { Verdict } from "./verdict.ts";

/** The sandbox bounds of a command that was allowed. */
export interface Bounds {
  readonly profile: SandboxProfile;
  /** Absolute; the directory the verdict was about. */
  readonly directory: string;
  /** Absolute; sensitive paths, and paths outside the workspace, that only this command may touch. */
  readonly readable: readonly string[];
  readonly writable: readonly string[];
  /** Absolute; a repository around the workspace, for git. */
  readonly repository?: string | undefined;
  /** Git may also write its git folder. */
  readonly writesRepository?: boolean;
  /** Absolute; paths that rules keep from the command, also if nothing else is known of it. */
  readonly hidden?: readonly string[];
  readonly readOnly?: readonly string[];
  readonly absent?: readonly string[];
  /** The widest profile that a person may approve later. Default: any. */
  readonly widest?: SandboxProfile;
  readonly category?: string | undefined;
  /** Submodules that commands have made, and that this one was allowed to enter; absolute. */
  readonly enters?: readonly string[];
  /** Everything that it does is known: it reads and writes files, and starts no program that could do more. */
  readonly isKnown?: boolean;
  /** A person has seen the command, and let it run. */
  readonly isApproved?: boolean;
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
  { isOffline = false }: { isOffline?: boolean } = {},
): Bounds {
  const lifted = (action: PermissionClass) =>
    requests.flatMap((request) =>
      request.action === action && request.path && (request.floor || !request.path.isInside)
        ? [request.path.real.absolute]
        : [],
    );
  // Git gets its repository only if every other command is known neither to look around in it nor to send it away.
  const isKnown = requests.every(
    ({ action, command }) =>
      (action !== "execute" && action !== "network") || command?.repository !== undefined,
  );
  const users = isKnown ? requests.filter(({ command }) => command?.repository !== undefined) : [];
  const repository = users[0]?.command?.repository;
  const writesRepository = users.some(({ command }) => command?.writesRepository);
  // `write` outweighs `network`, so a command that does both has class `write` and still needs the network.
  const profile = effects.hosts.length > 0 ? "network" : profiles[permissionClass];
  return {
    profile: isOffline ? narrower(profile, "workspace-write") : profile,
    directory,
    readable: lifted("read"),
    // The git folder of that repository is not given as a whole: its settings stay protected.
    writable: lifted("write").filter((path) => path !== `${repository}/.git`),
    ...{ repository, writesRepository, category },
    isKnown: requests.every(({ action }) => action !== "execute" && action !== "network"),
    enters: requests.flatMap(({ command }) => command?.enters ?? []),
  };
}

/** The bounds with what rules forbid taken out of them. */
export function limitBounds(bounds: Bounds, limits: Limits, { effects }: Verdict): Bounds {
  const { hidden, readOnly, absent, widest } = limits;
  // A command whose hosts are known was judged by them.
  const cap = effects.hosts.length > 0 ? widest : narrower(limits.profile, widest);
  return { ...bounds, profile: narrower(bounds.profile, cap), hidden, readOnly, absent, widest };
}

/** Translates a command's bounds for the sandbox. */
export function boxOf(
  { widest: _widest, category: _category, enters: _enters, ...box }: Bounds,
  use: { isKept: boolean; hasTerminal: boolean },
): SandboxBounds {
  return { ...box, ...use };
}

/** Whether a command with these bounds may ever get this profile. */
export function mayWidenTo(profile: SandboxProfile, { widest = profile }: Bounds): boolean {
  return narrower(profile, widest) === profile;
}

export function narrower(one: SandboxProfile, other: SandboxProfile): SandboxProfile {
  return byWidth.indexOf(one) < byWidth.indexOf(other) ? one : other;
}

const byWidth: readonly SandboxProfile[] = ["read-only", "workspace-write", "network"];
