import { dirname, join } from "node:path";
import { homeFolder } from "../runtime/locks/state-base.ts";

/** Where the policy files of a machine and of its user are. */
export interface PolicyPlaces {
  /** Written by whoever administers the machine. */
  readonly managed: string;
  readonly user: string;
  /** Which projects' files the user trusts. */
  readonly trust: string;
  /** Default: the one in the workspace. */
  readonly project?: string;
}

/** The managed place is fixed: an environment variable could be set by what it should bind. */
export function policyPlaces(environment: NodeJS.ProcessEnv = process.env): PolicyPlaces {
  const folder = userFolder(environment);
  return {
    managed: "/etc/toolwright/policy.json",
    user: join(folder, "policy.json"),
    trust: join(folder, "trust.json"),
  };
}

/** The user's own configuration, of everything but the policy. */
export function userConfigFile(environment: NodeJS.ProcessEnv = process.env): string {
  return join(userFolder(environment), "config.json");
}

function userFolder({ XDG_CONFIG_HOME: configured }: NodeJS.ProcessEnv): string {
  // The standard says to ignore a relative value.
  const base = configured?.startsWith("/") ? configured : join(homeFolder(), ".config");
  return join(base, "toolwright");
}

/** The policy file that a project brings. */
export function projectPolicyFile(root: string): string {
  return join(root, ".toolwright", "policy.json");
}

/** The folder with the user's own policy, which no tool may touch. */
export function policyFolder({ user }: PolicyPlaces): string {
  return dirname(user);
}
