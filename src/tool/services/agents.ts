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

/** Agents that do a piece of work by themselves, each in a session of its own, and tell what came of it. */
export interface Agents {
  /** Sends one off and waits until it has ended. */
  run(task: AgentTask): Promise<AgentReport>;
  /** Sends one off to work beside; whoever sent it off is told when it has ended. */
  start(task: AgentTask): Promise<StartedAgent>;
}

/** Whether the call waits for the agent, and whether that works in a git worktree of its own. */
export type AgentMode = "sync" | "background" | "worktree";

export interface AgentTask {
  /** All that it is told of what is to be done. */
  readonly prompt: string;
  /** The same in a few words, for whoever looks on. */
  readonly title?: string;
  /** Which kind of agent; one like the agent that sends it off unless told. */
  readonly kind?: string;
  /** The name of its model; that of the agent that sends it off unless told. */
  readonly model?: string;
  /** Lets it work in a git worktree of its own, on a new branch of this name or of one that is made up. */
  readonly worktree?: { readonly branch?: string };
}

/** An agent of some kind that may be asked for. */
export interface AgentKind {
  readonly name: string;
  /** When to send it off, in one line. */
  readonly description: string;
}

export interface StartedAgent {
  readonly id: string;
  /** Where its events and receipts are. */
  readonly sessionId: string;
  readonly title: string;
  /** The branch that its work will be on, where it has a worktree of its own. */
  readonly branch?: string;
}

export interface AgentReport extends StartedAgent {
  readonly reason: AgentEndReason;
  /** What went wrong, where something did. */
  readonly problem?: string;
  /** What it said last. */
  readonly text: string;
  readonly steps: number;
  /** How many calls of tools it made. */
  readonly calls: number;
  /** In and out, added up. */
  readonly tokens: number;
  readonly work?: BranchWork;
}

/** What an agent with a worktree of its own has left. */
export interface BranchWork {
  readonly branch: string;
  /** The commit that it began with. */
  readonly base: string;
  /** The base holds what was not committed then, too. */
  readonly hasUncommitted: boolean;
  /** False where it changed nothing: then the branch is gone. */
  readonly isKept: boolean;
  readonly files: readonly { readonly path: string; readonly change: string }[];
  readonly hasMoreFiles: boolean;
}
