import { basename } from "node:path";
import { limitCommand } from "../../shared/process-environment.ts";
import { profileEnvironment } from "./profile-environment.ts";
import type { Confining, StartableProgram } from "./sandbox.ts";

/** Runs commands without a sandbox; only their environment follows the profile, and they are marked for good. */
export function createNoSandbox(reason: string): Confining {
  return {
    kind: "none",
    reason,
    wrap: async ({ file, args, environment }, box) => ({
      file,
      args: markedArguments({ file, args }),
      environment: profileEnvironment(environment, box, { isConfined: false }),
      descriptors: [],
      release: async () => {},
    }),
  };
}

/** A sandbox keeps a command from our files; without one, it must be known as a command wherever it goes. */
function markedArguments({ file, args }: Pick<StartableProgram, "file" | "args">): readonly string[] {
  if (process.platform !== "linux" || basename(file) !== "bash") return args;
  // -p keeps this bash from running the file in BASH_ENV, which is meant for the one that takes its place.
  return ["--norc", "--noprofile", "-p", "-c", `${limitCommand}; exec "$@"`, "bash", file, ...args];
}
