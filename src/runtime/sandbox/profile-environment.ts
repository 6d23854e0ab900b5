import type { SandboxProfile, StartableProgram } from "./sandbox.ts";

/**
 * The environment for a profile. A read-only command gets the system's PATH and git settings that keep git from running
 * programs named by the repository. A command that may write was allowed to, and gets the user's own environment.
 */
export function profileEnvironment(
  environment: StartableProgram["environment"],
  profile: SandboxProfile,
): StartableProgram["environment"] {
  if (profile !== "read-only") return environment;
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith("GIT_"));
  return { ...Object.fromEntries(kept), PATH: systemPath, ...readingGit };
}

const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const gitSettings = {
  // Keeps git from using a bare repository nested in the workspace unless it is named explicitly.
  "safe.bareRepository": "explicit",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
};

const readingGit: StartableProgram["environment"] = {
  GIT_CONFIG_COUNT: String(Object.keys(gitSettings).length),
  ...Object.fromEntries(
    Object.entries(gitSettings).flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
  // Without this, `git status` rewrites the index.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ALLOW_PROTOCOL: "",
};
