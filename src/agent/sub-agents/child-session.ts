import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import type { Approvals } from "../../runtime/policy/approvals/approvals.ts";
import type { Mode } from "../../runtime/policy/decide.ts";
import type { Budget } from "../../runtime/sessions/budget.ts";
import type { SessionParent } from "../../runtime/store/store.ts";
import type { Caller } from "../../tool/caller.ts";
import type { AgentHost } from "../agent-host.ts";
import type { AgentRights } from "../agent-rights.ts";

/** Where a session stands in a tree of agents, and what may stand below it. */
export interface Lineage {
  /** How many agents stand above. */
  readonly depth: number;
  /** From this depth on, no agent is spawned. */
  readonly maxDepth: number;
  /** The only kinds that may be spawned; all of them unless told. */
  readonly allowedKinds?: readonly string[];
}

/** What the session of a sub-agent has from the one that it was spawned from. */
export interface ParentSession extends Lineage {
  /** For a session that is made. */
  readonly record?: SessionParent;
  readonly budget: Budget;
  /** Its questions are answered where the others are. */
  readonly approvals: Approvals;
}

export interface ChildSessionOptions {
  readonly id: string;
  readonly taskId: string;
  readonly mode: Mode;
  readonly caller: Caller;
}

/** As much of a session as an agent needs that was spawned. */
export interface ChildSession {
  agentHost(rights: AgentRights): Promise<AgentHost>;
  events(): AsyncIterable<LoggedEvent>;
  close(): Promise<void>;
}
