import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import type { AgentTask, BranchWork } from "../../tool/services/agents.ts";
import type { AgentResult } from "../agent-result.ts";

/** A sub-agent, in its own session. */
export interface ChildAgent {
  readonly sessionId: string;
  readonly branch?: string;
  /** What it takes to finish its worktree, as plain data. */
  readonly worktree?: unknown;
  run(signal: AbortSignal): Promise<AgentResult>;
  /** Everything that happens in its session, until that is closed. */
  events(): AsyncIterable<LoggedEvent>;
  /** Ends its session, and gives what is left on its branch. */
  close(): Promise<BranchWork | undefined>;
}

/** How one is made, by whoever knows sessions and models. `Parent` tells of the agent that sends it off. */
export interface ChildMaker<Parent> {
  open(plan: ChildPlan<Parent>): Promise<ChildAgent>;
  /** Ends what is left of one whose process is gone, and gives what is left on its branch. */
  salvage(lost: LostChild): Promise<BranchWork | undefined>;
}

/** What was kept of it. */
export interface LostChild extends Pick<ChildAgent, "sessionId" | "worktree"> {
  readonly title: string;
}

export interface ChildPlan<Parent> {
  readonly id: string;
  readonly title: string;
  readonly task: AgentTask;
  readonly parent: Parent;
  /** The call that sends it off waits for it. */
  readonly isAwaited: boolean;
}
