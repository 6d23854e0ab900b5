import type { SandboxBounds, StartableProgram } from "./sandbox.ts";

/**
 * The environment for a command. If everything that it does is known, as for one that only reads, it gets the system's
 * PATH, since tar and others look there for their helpers, and git settings that keep git from running programs named by
 * the repository. Any other gets the user's own environment.
 */
export function profileEnvironment(
  environment: StartableProgram["environment"],
  { profile, isKnown = false }: Pick<SandboxBounds, "profile" | "isKnown">,
  { isConfined = true }: { readonly isConfined?: boolean } = {},
): StartableProgram["environment"] {
  const isReading = profile === "read-only";
  if (!isReading && !(isKnown && profile === "workspace-write")) return environment;
  const kept = Object.entries(environment).filter(([name]) => !name.startsWith("GIT_"));
  return {
    ...Object.fromEntries(kept),
    PATH: systemPath,
    ...readingGit({ mayWriteIndex: !isConfined || !isReading }),
  };
}

const systemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

const gitSettings = {
  // Keeps git from using a bare repository nested in the workspace unless it is named explicitly.
  "safe.bareRepository": "explicit",
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  // Otherwise git would start once more in each submodule, where these settings do not hold.
  "diff.submodule": "short",
  "status.submoduleSummary": "false",
  "submodule.recurse": "false",
  "log.showSignature": "false",
  "log.diffMerges": "separate",
};

function readingGit({ mayWriteIndex }: { readonly mayWriteIndex: boolean }): StartableProgram["environment"] {
  // Without this setting, `git diff` rewrites the index. With it, git finds changes less well, so a sandbox is preferred.
  const settings = mayWriteIndex ? { ...gitSettings, "diff.autoRefreshIndex": "false" } : gitSettings;
  return {
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
    ...Object.fromEntries(
      Object.entries(settings).flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
    // Without this, `git status` rewrites the index.
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_LAZY_FETCH: "1",
  };
}
