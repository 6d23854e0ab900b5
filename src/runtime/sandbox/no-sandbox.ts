import { profileEnvironment } from "./profile-environment.ts";
import type { Confining } from "./sandbox.ts";

/** Runs commands without a sandbox; only their environment follows the profile. */
export function createNoSandbox(reason: string): Confining {
  return {
    kind: "none",
    reason,
    wrap: async ({ file, args, environment }, box) => ({
      file,
      args,
      environment: profileEnvironment(environment, box, { isConfined: false }),
      descriptors: [],
      release: async () => {},
    }),
  };
}
