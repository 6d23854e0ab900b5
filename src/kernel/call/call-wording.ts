import type { Wording } from "../../tool/wording.ts";
import { whyNeverAllowed } from "../policy/never-allowed.ts";
import type { ResolvedCall } from "./call.ts";

/** Names tools for a call's answer, so that every tool it names can be called next. */
export function wordingOf({ host, resolved: { wording } }: ResolvedCall): Wording {
  return {
    argument: wording.argument,
    tool(name) {
      host.offerTool(name);
      return wording.tool(name);
    },
    hasTool(name) {
      const entry = wording.hasTool(name) ? host.dialect.resolve(name)?.entry : undefined;
      return entry !== undefined && whyNeverAllowed(entry, host.policy.current) === undefined;
    },
  };
}
