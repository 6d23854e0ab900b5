import type { Agents } from "../../tool/agents.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { ResolvedCall } from "./call.ts";
import { createDelegatedTime } from "./delegated-time.ts";
import { unavailableServices } from "./unavailable-services.ts";

/** Agents as one call may send them off: a preview sends off none. */
export function guardAgents(call: ResolvedCall): Agents {
  const { id, environment, request, deadline } = call;
  if (request.isDryRun) return { run: refuse, start: refuse };
  const { onApproval, onQuestion } = request;
  const use = {
    callId: id,
    signal: deadline.signal,
    clock: deadline,
    ...(onApproval && { onApproval }),
    ...(onQuestion && { onQuestion }),
  };
  const agents = environment.agents?.(use);
  if (agents === undefined) return unavailableServices.agents;
  call.delegated ??= createDelegatedTime();
  const { delegated } = call;
  return { start: agents.start, run: (task) => delegated.during(agents.run(task)) };
}

async function refuse(): Promise<never> {
  throw new ToolError("unsupported", "a preview sends off no agents");
}
