import type { CallRequest, CallResult } from "../../../kernel/call/index.ts";
import type { PresentedTool } from "../../../kernel/dialects/index.ts";
import type { LoggedEvent, TokenUsage } from "../../../kernel/events/index.ts";
import type { RunningSession, SessionAgenda } from "../../../kernel/runtime/index.ts";
import type { AgentTurn, OpenCalls, SessionLog } from "../../../kernel/session/index.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
import type { ProjectNote } from "../context/project-notes.ts";
import type { MessageUses, TokenMeter } from "../context/token-meter.ts";

/** The session that an agent works in, as far as the agent uses it. */
export interface AgentHost {
  readonly sessionId: string;
  readonly workspace: string;
  /** Lets providers recognise prompts that begin alike. */
  readonly cacheKey: string;
  readonly redactor: Redactor;
  readonly log: SessionLog;
  readonly past: AgentPast;
  readonly contents: AgentContents;
  readonly control: AgentControl;
  readonly tools: AgentTools;
  readonly notes: AgentNotes;
  readonly agenda: AgentAgenda;
  readonly spending: AgentSpending;
}

/** Reads the session's log. */
export interface AgentPast {
  /** The events after a sequence number, oldest first. */
  readLog(since: number): AsyncIterable<LoggedEvent>;
  /** The events of the conversation as it stands, before a sequence number: without those that were rewound. */
  readConversation(before: number): AsyncIterable<LoggedEvent>;
}

/** Stores texts and bytes beside the log that are too large for it. */
export interface AgentContents {
  /** Stores a text where the model can read it again, and returns the path. */
  keepOutput(text: string): Promise<string>;
  /** Stores bytes and returns their name for `readBytes`; undefined if the store has no space. */
  keepBytes(bytes: Buffer): Promise<string | undefined>;
  /** Undefined if they are gone. */
  readBytes(name: string): Promise<Buffer | undefined>;
}

/** How others interrupt the agent, and it them. */
export interface AgentControl {
  readonly turn: AgentTurn;
  /** Calls that the session cancels and waits for when it closes. */
  readonly openCalls: OpenCalls;
  /** How often a person has said no and stop in this session or one that belongs to it. */
  countStops(): number;
  /** Delivers the messages of other processes. */
  readonly onMessage: RunningSession["onMessage"];
}

export interface AgentTools {
  /** The tools that the model is offered now, always in the same order; new ones come last. */
  active(): readonly PresentedTool[];
  /** The tools' manuals, in the same order. */
  manuals(): string;
  /** Name of the tool that spawns sub-agents. */
  readonly spawner: string;
  /**
   * Whether a call may be made again: its process died while it ran, before it timed out or was cancelled; it has not been
   * made again before; and its tool is the same and idempotent.
   */
  mayRepeat(call: { readonly id: string; readonly name: string }): Promise<boolean>;
  /** Sub-agents that the calls spawn spend from the meter. */
  callAll(calls: readonly CallRequest[], meter: TokenMeter): Promise<CallResult[]>;
}

/** The project's notes for agents, as far as the session's rules let them be read without asking. */
export interface AgentNotes {
  ofProject(): Promise<readonly ProjectNote[]>;
  /** Those of the folders of these files, which are relative to the workspace; without those that are given already. */
  near(files: readonly string[], isGiven: (path: string) => boolean): Promise<readonly ProjectNote[]>;
}

/** The open tasks and running work, and how sub-agents in the background ended. */
export interface AgentAgenda extends SessionAgenda {
  /** Reads what other processes recorded about sub-agents, and ends those whose process is gone. */
  refresh(): Promise<void>;
  /** How background sub-agents ended, where the model does not know yet. */
  takeNews(): readonly string[];
  /** Waits for the next background sub-agent to end; false if none is running. */
  untilNews(signal: AbortSignal): Promise<boolean>;
}

/** The session's budget for its model, and what its parents have left. */
export interface AgentSpending {
  /** The parent's meter, if this is a sub-agent. */
  readonly meter: TokenMeter | undefined;
  /** The tokens that the agent of this name has spent on the last message; they outlive the process. */
  readonly messageUse: MessageUses;
  /** Throws if the model's cost is limited and its price is not known. */
  check(model: string): void;
  charge(model: string, usage: TokenUsage): void;
  /** Keeps others from what a step may need. Returns how to give it back. */
  reserve(model: string, needed: TokenUsage): () => void;
  leftTokens(): number;
  isSpent(): boolean;
}
