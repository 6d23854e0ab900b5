import type { AgentHost } from "./agent/agent-host.ts";
import type { AgentRights } from "./agent-rights.ts";
import type { LoggedEvent } from "./runtime/events/session-event.ts";
import type { Approvals } from "./runtime/permissions/approvals.ts";
import type { Mode } from "./runtime/permissions/decide.ts";
import type { Budget } from "./runtime/sessions/budget.ts";
import type { Caller } from "./tool/caller.ts";

/** What the session of an agent that was sent off shares with the one that it was sent off from. */
export interface ParentSession {
  readonly budget: Budget;
  /** Its questions are answered where the others are. */
  readonly approvals: Approvals;
  /** How many agents stand above it, how many may, and which kinds it may send off itself. */
  readonly depth: number;
  readonly maxDepth: number;
  readonly allowedKinds?: readonly string[];
}

export interface ChildSessionOptions {
  readonly id: string;
  readonly taskId: string;
  readonly mode: Mode;
  readonly caller: Caller;
}

/** As much of a session as an agent needs that was sent off. */
export interface ChildSession {
  agentHost(rights: AgentRights): Promise<AgentHost>;
  events(): AsyncIterable<LoggedEvent>;
  close(): Promise<void>;
}
