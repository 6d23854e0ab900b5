import type { Agents } from "../../tool/agents.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { ResolvedCall } from "./call.ts";
import { unavailableServices } from "./unavailable-services.ts";

/** Agents as one call may send them off: a preview sends off none. */
export function guardAgents({ id, environment, request, deadline }: ResolvedCall): Agents {
  if (request.isDryRun) return { run: refuse, start: refuse };
  const { onApproval, onQuestion } = request;
  const use = {
    callId: id,
    signal: deadline.signal,
    clock: deadline,
    ...(onApproval && { onApproval }),
    ...(onQuestion && { onQuestion }),
  };
  return environment.agents?.(use) ?? unavailableServices.agents;
}

async function refuse(): Promise<never> {
  throw new ToolError("unsupported", "a preview sends off no agents");
}
