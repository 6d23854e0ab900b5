import { createApprovals } from "../../../kernel/people/approvals.ts";
import { createBudget } from "../../../kernel/session/budget.ts";
import type { AgentRuntimeParts } from "../host/agent-runtime-parts.ts";
import type { LostChild } from "./child-agent.ts";
import type { SpawningSession } from "./open-child-agent.ts";

/**
 * Ends the session of a sub-agent whose process is gone. Reopening it ends its commands, seals its calls, takes over what
 * it had read from strangers, and does the same for the sub-agents that it had spawned.
 */
export async function endLostChild(
  { openChild }: Pick<AgentRuntimeParts, "openChild">,
  { taskId, dialect, depth, maxDepth, link }: SpawningSession,
  { sessionId }: LostChild,
): Promise<void> {
  const nothing = { budget: createBudget(), approvals: createApprovals({ queue: false }) };
  const { taint, grants, proposals, mode } = link();
  const session = await openChild(
    { id: sessionId, taskId, mode: mode.current, dialect, caller: { kind: "code", name: "toolwright" } },
    { ...nothing, taint, grants, proposals, mode, depth: depth + 1, maxDepth },
  );
  await session.close();
}
