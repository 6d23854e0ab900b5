/** Why an agent stopped. `done`: the model had nothing more to do. */
export type AgentEndReason =
  | "done"
  | "max-steps"
  | "budget"
  | "stop-condition"
  | "interrupted"
  | "cut-off"
  | "refused"
  | "failed";

/** Sub-agents, each working on a task in its own session and reporting the result. */
export interface Agents {
  /** Spawns an agent and waits until it has ended. */
  run(task: AgentTask): Promise<AgentReport>;
  /** Spawns an agent in the background; its parent is notified when it has ended. */
  start(task: AgentTask): Promise<StartedAgent>;
}

/** Whether the call waits for the agent, and whether the agent has its own git worktree. */
export type AgentMode = "sync" | "background" | "worktree";

export interface AgentTask {
  /** The whole task: the agent knows nothing else. */
  readonly prompt: string;
  /** The task in a few words, for people. */
  readonly title?: string;
  /** The kind of agent. Default: one like its parent. */
  readonly kind?: string;
  /** The name of its model. Default: its parent's. */
  readonly model?: string;
  /** The id of an agent that has ended: it goes on with its conversation, and `prompt` is the next message in it. */
  readonly continues?: string;
  /** Gives it its own git worktree, on a new branch with this name or a generated one. */
  readonly worktree?: { readonly branch?: string };
}

/** A kind of agent that can be spawned. */
export interface AgentKind {
  readonly name: string;
  /** When to use it, in one line. */
  readonly description: string;
}

export interface StartedAgent {
  readonly id: string;
  /** The session with its events and receipts. */
  readonly sessionId: string;
  readonly title: string;
  /** The branch for its work, if it has its own worktree. */
  readonly branch?: string;
}

export interface AgentReport extends StartedAgent {
  readonly reason: AgentEndReason;
  /** What went wrong, if something did. */
  readonly problem?: string;
  /** Its final message. */
  readonly text: string;
  readonly steps: number;
  /** Number of tool calls it made. */
  readonly calls: number;
  /** How many of them were not made, because they need approval and no person could be asked. */
  readonly unapproved?: number;
  /** Input and output tokens together. */
  readonly tokens: number;
  readonly work?: BranchWork;
}

/** The result of an agent with its own worktree. */
export interface BranchWork {
  readonly branch: string;
  /** The commit that the branch starts at. */
  readonly base: string;
  /** The base includes the parent's uncommitted changes. */
  readonly hasUncommitted: boolean;
  /** False if it changed nothing; the branch is then deleted. */
  readonly isKept: boolean;
  readonly files: readonly { readonly path: string; readonly change: string }[];
  readonly hasMoreFiles: boolean;
}
