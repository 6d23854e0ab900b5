import type { LoggedEvent } from "../../../kernel/events/index.ts";
import type { KeptValues, SessionLog } from "../../../kernel/session/index.ts";
import type { ProcessLife } from "../../../kernel/store/index.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
import type { AgentTask, BranchWork } from "../../../tool/services/agents.ts";
import type { AgentResult } from "../agent-run.ts";
import type { Parent } from "../host/agent-runtime-parts.ts";
import type { AgentRecord } from "./agent-record.ts";

/** A sub-agent, in its own session. */
export interface ChildAgent {
  readonly sessionId: string;
  readonly branch?: string | undefined;
  /** Plain data for finishing its worktree. */
  readonly worktree?: unknown;
  /** Called once it is on record, so that its work is kept even if this process is killed. */
  settle(): Promise<void>;
  run(signal: AbortSignal): Promise<AgentResult>;
  /** All events of its session until it closes. */
  events(): AsyncIterable<LoggedEvent>;
  /** Closes its session and returns the work on its branch. */
  close(): Promise<BranchWork | undefined>;
}

/** The parts of a session that its sub-agents need. */
export interface SubAgentsParts {
  readonly maker: ChildMaker;
  readonly log: SessionLog;
  readonly redactor: Redactor;
  /** Shared with other processes. */
  readonly records: Pick<KeptValues<AgentRecord>, "list" | "set">;
  readonly maxRunning: number;
  ownProcess(): Promise<ProcessLife>;
  isAlive(process: ProcessLife): Promise<boolean>;
}

/** Makes sub-agents, and takes care of those of processes that are gone. */
export interface ChildMaker {
  open(plan: ChildPlan): Promise<ChildAgent>;
  /** Ends the session of a sub-agent whose process is gone. */
  endLost(lost: LostChild): Promise<void>;
  /** Finishes the worktree of a sub-agent whose process is gone, which may take long, and returns the work on its branch. */
  salvage(lost: LostChild, signal: AbortSignal): Promise<BranchWork | undefined>;
  /** Removes the folders that killed processes have left of sub-agents that were being made. */
  tidy(): Promise<void>;
}

/** The record of a sub-agent whose process is gone. */
export type LostChild = Pick<AgentRecord, "sessionId" | "title" | "worktree">;

export interface ChildPlan {
  readonly id: string;
  readonly title: string;
  readonly task: AgentTask;
  readonly parent: Parent;
  /** Whether the call that spawns it waits for it. */
  readonly isAwaited: boolean;
  /** The session of the agent that goes on; a new one if there is none. */
  readonly sessionId?: string | undefined;
}
