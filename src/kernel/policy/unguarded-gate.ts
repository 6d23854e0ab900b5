import type { Gate } from "./gate.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";

/** Allows everything except commands: for reads outside any call, and for tests of services. */
export function unguardedGate(paths: Pick<WorkspacePaths, "resolve">): Gate {
  const pass = async () => {};
  return {
    locate: paths.resolve,
    enter: (path, _actions, how) => paths.resolve(path, how),
    read: pass,
    write: pass,
    ruleNaming: () => undefined,
    mayRead: async () => true,
    tree: pass,
    visibility: () => () => "shown",
    reach: async () => ({ isNamed: false }),
    spawn: pass,
    async run(command) {
      throw new Error(`no policy here can decide on the command ${command}`);
    },
    forget() {},
  };
}
