import type { ParentSession } from "../../../kernel/runtime/parent-session.ts";
import type { SessionKept } from "../../../kernel/session/kept/kept.ts";
import type { SessionLog } from "../../../kernel/session/session-log.ts";
import { isAliveIn, ownLifeIn } from "../../../kernel/store/process-life.ts";
import type { ToolFilter } from "../../../kernel/tool-search/tool-filter.ts";
import type { AgentRuntimeParts, Parent } from "../host/agent-runtime-parts.ts";
import { agentRecords } from "./agent-record.ts";
import type { ChildMaker } from "./child-agent.ts";
import { everyTool } from "./child-tools.ts";
import type { SpawningSession } from "./open-child-agent.ts";
import { defaultSubAgentLimits } from "./sub-agent-options.ts";
import { openSubAgents, type SubAgents } from "./sub-agents.ts";

export interface SessionAgentsOptions extends Pick<SpawningSession, "id" | "taskId" | "dialect" | "link"> {
  readonly log: SessionLog;
  readonly kept: SessionKept;
  readonly parent: ParentSession | undefined;
  /** The only tools of the session. */
  readonly allows: ToolFilter | undefined;
}

/** Opens the sub-agents of a session, recorded in its store. */
export function openSessionAgents(
  parts: AgentRuntimeParts,
  { log, kept, parent, allows, ...session }: SessionAgentsOptions,
): Promise<SubAgents<Parent>> {
  const { store, redactor } = parts;
  const limits = { ...defaultSubAgentLimits, ...parts.options.agents };
  const descent = parent ?? { depth: 0, maxDepth: limits.maxDepth };
  return openSubAgents({
    maker: childMaker(parts, { ...descent, ...session }, allows),
    log,
    redactor,
    records: kept(agentRecords),
    maxRunning: limits.maxRunning,
    ownProcess: () => ownLifeIn(store),
    isAlive: (process) => isAliveIn(store, process),
  });
}

/** Loads its modules when the first agent is spawned, since most sessions spawn none. */
function childMaker(
  parts: AgentRuntimeParts,
  spawner: SpawningSession,
  allows: ToolFilter = everyTool,
): ChildMaker<Parent> {
  return {
    async open(plan) {
      const { openChildAgent } = await import("./open-child-agent.ts");
      const { allows: parentMay = everyTool } = plan.parent;
      const parent = { ...plan.parent, allows: (tool: string) => allows(tool) && parentMay(tool) };
      return openChildAgent(parts, spawner, { ...plan, parent });
    },
    async endLost(lost) {
      const { endLostChild } = await import("./open-child-agent.ts");
      await endLostChild(parts, spawner, lost);
    },
    async salvage({ worktree, title }, signal) {
      if (worktree === undefined) return undefined;
      const { finishPlace } = await import("./child-place.ts");
      return finishPlace(worktree, title, signal);
    },
    async tidy() {
      const { tidyPlaces } = await import("./child-place.ts");
      await tidyPlaces(parts);
    },
  };
}
