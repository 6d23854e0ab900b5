import { capability } from "../../kernel/runtime/index.ts";
import type { OpenService, Service } from "../../kernel/services/index.ts";
import { lazyMethods } from "../../shared/lazy-methods.ts";
import type { System } from "../../tool/services/system.ts";
import type { SystemParts } from "./describe-system.ts";
import { type SystemOptions, systemOptions } from "./system-options.ts";
import env from "./tools/system/env.ts";
import info from "./tools/system/info.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** What tools may learn about this machine. */
    readonly system?: SystemOptions;
  }
}

/** Tells facts about this machine. Loaded when first used. */
const systemService: Service<"system", SystemParts, OpenService<"system">> = {
  offers: "looking at the system",
  open(parts) {
    const methods = lazyMethods<System>({ info: true, variables: true }, async () => {
      const { describeSystem, readVariables } = await import("./describe-system.ts");
      const { variables = [] } = parts.systemOptions ?? {};
      return {
        info: () => describeSystem(parts),
        variables: async (names) => readVariables(names, { environment: process.env, added: variables }),
      };
    });
    return { forCall: () => ({ ...methods }) };
  },
};

/** Facts about this machine. */
export const systemCapability = capability({
  name: "system",
  options: systemOptions,
  services: { system: systemService },
  tools: [info, env],
  open: ({ options }) => ({
    session: async ({ workspace, sandbox }) => ({
      services: { system: await systemService.open({ workspace, sandbox, systemOptions: options.system }) },
    }),
  }),
});
