import type { CommandSupplies } from "./command-supplies.ts";

/** Supplies for the commands of all sessions of a runtime: made ahead for each, they would cost 75 descriptors each. */
export interface SharedSupplies {
  /** Makes them when the first command is to run. */
  open(): Promise<CommandSupplies>;
  close(): Promise<void>;
}

export function shareSupplies(): SharedSupplies {
  let opened: Promise<CommandSupplies> | undefined;
  return {
    open() {
      opened ??= import("./command-supplies.ts").then(({ createCommandSupplies }) => createCommandSupplies());
      return opened;
    },
    close: async () => (await opened)?.close(),
  };
}
