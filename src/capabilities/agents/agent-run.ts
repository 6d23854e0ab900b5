import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { TokenUsage } from "../../kernel/events/index.ts";
import type { AgentEndReason } from "../../tool/services/agents.ts";
import type { AgentOptions } from "./agent-options.ts";
import type { AnswerFormat } from "./answer-format.ts";
import type { ProjectNote } from "./context/project-notes.ts";
import type { TokenMeter } from "./context/token-meter.ts";
import type { AgentHost } from "./host/agent-host.ts";
import type { Inbox } from "./inbox.ts";
import type { Offer } from "./offers.ts";
import type { Transcript } from "./transcript/transcript.ts";

/** The parts that an agent keeps from message to message, and the conversation itself. */
export interface AgentParts {
  readonly host: AgentHost;
  readonly options: AgentOptions;
  readonly model: LanguageModelV4;
  readonly providerOptions: NonNullable<AgentOptions["providerOptions"]>;
  /** The project's notes that the system prompt quotes. */
  readonly notes: readonly ProjectNote[];
  /** The model's tools and system prompt at this moment. */
  readonly offer: () => Offer;
  transcript: Transcript;
  readonly inbox: Inbox;
  readonly window: ContextWindow;
  readonly own: LogCursor;
}

/** The model's context size, as learned from its provider so far. */
interface ContextWindow {
  charactersPerToken: number;
  /** The limit of a prompt in characters; lowered when the provider refuses a prompt as too long. */
  maxSize: number;
}

/**
 * A place in the log up to which an agent has read it, with the agent's entries since then, to tell them from those of
 * others.
 */
export interface LogCursor {
  /** Sequence number of the last event it has read. */
  since: number;
  /** Its latest run. */
  runId: string;
  messages: number;
  /** Paths of notes that the conversation quotes. */
  readonly notes: Set<string>;
}

/** An agent's work on one message, from the message to the end. */
export interface AgentRun extends AgentParts {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly meter: TokenMeter;
  /** The model's tools and system prompt in this step. */
  offered: Offer;
  /** How often a person had said no and stop before. */
  readonly stopsBefore: number;
  /** Files that the calls of the last step have read or changed, relative to the workspace. */
  touched: readonly string[];
  steps: number;
  /** How many tokens are reserved for the answer of the step under way. */
  reserved?: number;
  /** The model's latest text. */
  text: string;
  answer?: WantedAnswer;
}

/** The answer that a run has to end with. */
interface WantedAnswer {
  readonly format: AnswerFormat;
  /** Whether the model's provider is given the format; not after it refused it. */
  isEnforced: boolean;
  /** Whether the model was told that an answer did not fit. */
  isCorrected: boolean;
  /** The answer, once it fits. */
  value?: unknown;
}

/** How the work on a message ended. */
export interface AgentResult {
  readonly reason: AgentEndReason;
  /** The model's latest text. */
  readonly text: string;
  /** The answer as JSON, checked; only where the run was given a schema and is done. */
  readonly value?: unknown;
  readonly steps: number;
  /** The tokens of the model, and of the models of all sub-agents that worked for this message. */
  readonly usage: TokenUsage;
  readonly sessionId: string;
  readonly error?: { readonly message: string };
}
