import { profileEnvironment } from "./profile-environment.ts";
import type { Sandbox } from "./sandbox.ts";

/** Nothing holds a command back; only its environment is as its profile has it. */
export function createNoSandbox(reason: string): Sandbox {
  return {
    kind: "none",
    reason,
    wrap: async ({ file, args, environment }, { profile }) => ({
      file,
      args,
      environment: profileEnvironment(environment, profile),
      descriptors: [],
      release: async () => {},
    }),
  };
}
