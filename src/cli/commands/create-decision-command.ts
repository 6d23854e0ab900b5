import type { Runtime } from "../../open-runtime.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { asUsage } from "../open/as-usage.ts";
import { callPrefix, withApprovals } from "../open/with-approvals.ts";

/** `approve` and `deny`: decide on an entry of `toolwright approvals`. */
export function createDecisionCommand(decision: "approve" | "deny"): Command {
  const done = decision === "approve" ? "approved" : "denied";
  return {
    usage: "<id>",
    minArguments: 1,
    maxArguments: 1,
    flags: [],
    isForPerson: true,
    example: "mcp:github",
    note: "The id comes from `toolwright approvals`: call:<id>, mcp:<server> or mcp:<server>/<tool>. With its @ part, the decision applies only to the version that was shown; without it, to the current one.",

    async run({ arguments: [id = ""], flags, output }) {
      await asUsage(() => withApprovals(flags, (runtime) => decide(runtime, id, decision)));
      if (flags.json) await output.write(`${JSON.stringify({ id, decision: done })}\n`);
      else await output.tell(`${escapeLine(id)} is ${done}`);
      return exitCodes.done;
    },
  };
}

async function decide({ mcp, approvals }: Runtime, id: string, decision: "approve" | "deny"): Promise<void> {
  if (!id.startsWith(callPrefix)) await mcp[decision](id);
  else await approvals.decide(id.slice(callPrefix.length), decision === "approve" ? "allow" : "deny");
}
