import { capability } from "../../kernel/runtime/capability.ts";
import { type SystemOptions, systemOptions } from "./system-options.ts";
import { systemService } from "./system-service.ts";
import env from "./tools/system/env.ts";
import info from "./tools/system/info.ts";

declare module "../../kernel/runtime/runtime-options.ts" {
  interface RuntimeOptions {
    /** What tools may learn about this machine. */
    readonly system?: SystemOptions;
  }
}

/** Facts about this machine. */
export const systemCapability = capability({
  name: "system",
  options: systemOptions,
  services: { system: systemService },
  tools: [info, env],
  open: ({ options }) => ({
    session: async ({ workspace, sandbox }) => ({
      services: {
        system: await systemService.open({ workspace, sandbox, systemOptions: options.system }),
      },
    }),
  }),
});
