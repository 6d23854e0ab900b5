import type { Gate } from "./gate.ts";
import type { WorkspacePaths } from "./paths/workspace-paths.ts";

/** Lets everything through but commands: for who reads in nobody's name, and for tests of what lies behind a gate. */
export function unguardedGate(paths: Pick<WorkspacePaths, "resolve">): Gate {
  const pass = async () => {};
  return {
    locate: paths.resolve,
    recall: () => undefined,
    read: pass,
    write: pass,
    mayRead: async () => true,
    tree: pass,
    visibility: () => () => true,
    async run(command) {
      throw new Error(`there is nobody to decide on ${command}`);
    },
    forget() {},
  };
}
