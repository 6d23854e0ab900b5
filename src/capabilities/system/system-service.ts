import type { OpenService, Service } from "../../kernel/services/service.ts";
import { lazyMethods } from "../../shared/lazy-methods.ts";
import type { System } from "../../tool/services/system.ts";
import type { SystemParts } from "./system-parts.ts";

/** Tells facts about this machine. Loaded when first used. */
export const systemService: Service<"system", SystemParts, OpenService<"system">> = {
  offers: "looking at the system",
  open(parts) {
    const methods = lazyMethods<System>({ info: true, variables: true }, async () => {
      const { describeSystem } = await import("./describe-system.ts");
      const { readVariables } = await import("./read-variables.ts");
      const { variables = [] } = parts.systemOptions ?? {};
      return {
        info: () => describeSystem(parts),
        variables: async (names) => readVariables(names, { environment: process.env, added: variables }),
      };
    });
    return { forCall: () => ({ ...methods }) };
  },
};
