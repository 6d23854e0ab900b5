import type { Wording } from "../../tool/wording.ts";
import { isAboutWhole } from "../policy/rules/rule.ts";
import type { ResolvedCall } from "./call.ts";

/** Names tools for a call's answer, so that every tool it names can be called next. */
export function wordingOf({ host, resolved: { wording } }: ResolvedCall): Wording {
  return {
    argument: wording.argument,
    tool(name) {
      host.offerTool(name);
      return wording.tool(name);
    },
    hasTool: (name) =>
      wording.hasTool(name) && !host.policy.rules.deny.some((rule) => isAboutWhole(rule, name)),
  };
}
