import type { SandboxProfile, StartableProgram } from "./sandbox.ts";

/**
 * The environment as the profile has it. A command that may only read finds the system's programs and a git that runs
 * nothing the repository names; one that may write was let by somebody and has the user's own.
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
  // A repository without a work tree that lies inside another one is not used unless asked for.
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
  // Without it `git status` rewrites the index.
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ALLOW_PROTOCOL: "",
};
