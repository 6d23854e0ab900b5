import type { AgentEndReason } from "../../tool/services/agents.ts";

/** One part of a model's answer, as it is sent back with the next step. */
export type AssistantPart = AssistantText<"text"> | AssistantText<"reasoning"> | AssistantCall;

export interface AssistantText<Type> {
  readonly type: Type;
  readonly text: string;
  readonly providerOptions?: ProviderOptions;
}

export interface AssistantCall {
  readonly type: "tool-call";
  /** The call's id in receipts and in other events. */
  readonly callId: string;
  /** The id that the model's provider gave the call in the transcript. */
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerOptions?: ProviderOptions;
}

/** Data that a provider expects back unchanged with a part, such as the signature of a reasoning part. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** The part of the input that the provider had cached. */
  readonly cachedInputTokens: number;
}

/** What a million tokens of each model cost, by its provider and name, in any one currency. */
export type ModelPrices = Readonly<Record<string, ModelPrice>>;

export interface ModelPrice {
  readonly input: number;
  readonly output: number;
  /** Default: the same as `input`. */
  readonly cachedInput?: number;
}

/** A message that was cut because it was too long. */
export interface CutMessage {
  /** Index in the transcript as it was at that time. */
  readonly place: number;
  readonly maxCharacters: number;
  readonly storedPath?: string;
}

/** A call whose output is no longer shown to the model. */
export interface MaskedCall {
  readonly callId: string;
  readonly storedPath?: string;
}

/** A file of the project that an agent's model is given without having asked for it. */
export interface GivenNote {
  /** Relative to the workspace. */
  readonly path: string;
  readonly characters: number;
  /** The model is given only a part of the file. */
  readonly isCut: boolean;
}

/** What an agent does besides calling tools. Its transcript can be rebuilt from these events and its calls. */
export type AgentEvent =
  | {
      readonly type: "agent-start";
      readonly runId: string;
      readonly agent: string;
      readonly model: string;
      /** The agent's process; while it is running, no other agent works in the session. */
      readonly process?: { readonly pid: number; readonly startedAt: string };
      /** The files of the project that the system prompt quotes. */
      readonly notes?: readonly GivenNote[];
    }
  | {
      readonly type: "user-message";
      readonly text: string;
      /** Images that came with it; their bytes are kept outside the log. */
      readonly images?: readonly { readonly mimeType: string; readonly name: string }[];
    }
  /** The conversation is back where it was before a message; the log keeps what came after it. */
  | {
      readonly type: "conversation-rewind";
      /** Sequence number of that message. */
      readonly before: number;
      readonly rewoundBy: string;
    }
  /** The conversation begins with that of another session, up to a message of it. */
  | {
      readonly type: "conversation-fork";
      readonly from: string;
      /** Sequence number of that message, or of the first event that does not belong to it. */
      readonly before: number;
    }
  /** A message to the model that comes from the runtime, not from the person. */
  | {
      readonly type: "reminder-message";
      readonly runId: string;
      /** Open tasks, the results of background agents, the form that the answer must have, or notes of the project. */
      readonly about: "tasks" | "agents" | "answer" | "notes";
      readonly text: string;
      /** The files that it quotes. */
      readonly notes?: readonly GivenNote[];
    }
  /** Messages that arrive from here on wait for the next step. */
  | { readonly type: "step-start"; readonly runId: string; readonly step: number }
  | ModelDelta<"text-delta">
  | ModelDelta<"reasoning-delta">
  | {
      /** The model is writing the input of a call. */
      readonly type: "call-draft";
      readonly runId: string;
      readonly step: number;
      readonly toolCallId: string;
      readonly toolName: string;
      readonly characters: number;
    }
  | {
      readonly type: "model-retry";
      readonly runId: string;
      readonly step: number;
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  | {
      readonly type: "assistant-message";
      readonly runId: string;
      readonly step: number;
      readonly content: readonly AssistantPart[];
      readonly finishReason: string;
      readonly usage?: TokenUsage;
    }
  | {
      readonly type: "step-end";
      readonly runId: string;
      readonly step: number;
      readonly durationMs: number;
      readonly calls: number;
    }
  | {
      /** The images of a result that the model was shown; their bytes are kept outside the log. */
      readonly type: "images-show";
      readonly runId: string;
      readonly callId: string;
      readonly content: readonly (
        | { readonly type: "text"; readonly text: string }
        | { readonly type: "image"; readonly mimeType: string; readonly name: string }
      )[];
    }
  /** The model's provider refused the images of these calls. */
  | { readonly type: "images-hide"; readonly runId: string; readonly callIds: readonly string[] }
  | {
      /** Old outputs and steps that the model is no longer shown; the log keeps them. */
      readonly type: "context-trim";
      readonly runId: string;
      readonly cutMessages?: readonly CutMessage[];
      readonly masked: readonly MaskedCall[];
      readonly droppedSteps: number;
      readonly droppedMessages: number;
    }
  | {
      /** A summary takes the place of the conversation so far, which the log keeps. */
      readonly type: "context-compact";
      readonly runId: string;
      /** The text that the model is shown in its place. */
      readonly text: string;
      /** How many of the latest messages and steps it is still shown. */
      readonly kept: number;
      /** The message that began the conversation. */
      readonly task: string;
      readonly usage?: TokenUsage;
    }
  | {
      readonly type: "agent-end";
      readonly runId: string;
      readonly reason: AgentEndReason;
      readonly steps: number;
      readonly usage: TokenUsage;
      readonly text: string;
      /** The answer as JSON, where a schema was given. */
      readonly value?: unknown;
      readonly error?: { readonly message: string };
    };

/** A streamed piece of the model's answer. */
export interface ModelDelta<Type> {
  readonly type: Type;
  readonly runId: string;
  readonly step: number;
  readonly text: string;
}
