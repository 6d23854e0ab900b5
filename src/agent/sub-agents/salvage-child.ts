import { createApprovals } from "../../runtime/policy/approvals/approvals.ts";
import { createBudget } from "../../runtime/sessions/budget.ts";
import type { BranchWork } from "../../tool/services/agents.ts";
import type { AgentRuntimeParts } from "../agent-runtime-parts.ts";
import type { LostChild } from "./child-agent.ts";
import { finishPlace } from "./child-place.ts";
import type { SpawningSession } from "./open-child-agent.ts";

/** Cleans up after a sub-agent whose process is gone; the work in its worktree is kept in any case. */
export async function salvageChild(
  parts: Pick<AgentRuntimeParts, "openChild">,
  spawner: SpawningSession,
  lost: LostChild,
): Promise<BranchWork | undefined> {
  const ending = endSession(parts, spawner, lost);
  await ending.catch(() => {});
  const { worktree, title } = lost;
  const work = worktree === undefined ? undefined : await finishPlace(worktree, title);
  await ending;
  return work;
}

/**
 * Reopening its session ends its commands, seals its calls, and does the same for the sub-agents that it had spawned.
 */
async function endSession(
  { openChild }: Pick<AgentRuntimeParts, "openChild">,
  { taskId, mode, dialect, depth, maxDepth, link }: SpawningSession,
  { sessionId }: LostChild,
): Promise<void> {
  const nothing = { budget: createBudget(), approvals: createApprovals({ queue: false }) };
  const session = await openChild(
    { id: sessionId, taskId, mode, dialect, caller: { kind: "code", name: "toolwright" } },
    { ...nothing, taint: link().taint, depth: depth + 1, maxDepth },
  );
  await session.close();
}
