import type { Agents } from "../../../tool/services/agents.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ResolvedCall } from "../../pipeline/call.ts";
import { unavailableServices } from "../unavailable-services.ts";
import { createDelegation } from "./delegation.ts";

/** Agents as one call may send them off: a preview sends off none. */
export function guardAgents(call: ResolvedCall): Agents {
  const { id, environment, request, deadline } = call;
  if (request.isDryRun) return { run: refuse, start: refuse };
  const { onApproval, onQuestion } = request;
  call.delegation ??= createDelegation();
  const { delegation } = call;
  const use = {
    callId: id,
    signal: AbortSignal.any([deadline.signal, delegation.signal]),
    clock: deadline,
    ...(onApproval && { onApproval }),
    ...(onQuestion && { onQuestion }),
  };
  const agents = environment.agents?.(use);
  if (agents === undefined) return unavailableServices.agents;
  return { start: agents.start, run: (task) => delegation.during(agents.run(task)) };
}

async function refuse(): Promise<never> {
  throw new ToolError("unsupported", "a preview sends off no agents");
}
