import { basename, dirname, join } from "node:path";
import { homeFolder } from "../../../machine/locks/index.ts";
import { sha256 } from "../../../shared/crypto.ts";

/** Where the policy files of a machine and of its user are. */
export interface PolicyPlaces {
  /** Written by the administrator of the machine. */
  readonly managed: string;
  readonly user: string;
  /** The list of files that the user trusts. */
  readonly trust: string;
  /** Folder of the user's own rules for one project each. Default: `projects`, beside the user's file. */
  readonly projects?: string;
  /** Default: the one in the workspace. */
  readonly project?: string;
}

/** The managed place is fixed: the programs that it should bind could set an environment variable. */
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

/** The user's own rules for a project, which stay out of the repository. Named by the project's real path. */
export function ownProjectFile(
  { user, projects = join(dirname(user), "projects") }: PolicyPlaces,
  root: string,
): string {
  const name = basename(root)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(0, 60);
  return join(projects, `${name}-${sha256(root).slice(0, 16)}.json`);
}

/** The folder with the user's own policy, which no tool may touch. */
export function policyFolder({ user }: PolicyPlaces): string {
  return dirname(user);
}
