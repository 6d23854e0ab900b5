import type { AgentEndReason } from "../../tool/services/agents.ts";

/** One part of what a model said, as it goes back to the model with the next step. */
export type AssistantPart = AssistantText<"text"> | AssistantText<"reasoning"> | AssistantCall;

export interface AssistantText<Type> {
  readonly type: Type;
  readonly text: string;
  readonly providerOptions?: ProviderOptions;
}

export interface AssistantCall {
  readonly type: "tool-call";
  /** The call's id in receipts and in the other events of the log. */
  readonly callId: string;
  /** Its id in the transcript, which the model's provider gave it. */
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerOptions?: ProviderOptions;
}

/** What a provider wants back unchanged with a part, such as the signature of a thought. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input: what the provider had cached. */
  readonly cachedInputTokens: number;
}

/** What is left of a message that was too long. */
export interface CutMessage {
  /** Among the entries of the transcript, as it was then. */
  readonly place: number;
  readonly maxCharacters: number;
  readonly storedPath?: string;
}

/** A call whose output was left out. */
export interface MaskedCall {
  readonly callId: string;
  readonly storedPath?: string;
}

/** What an agent does between the calls of its tools. Its transcript can be made again from these and the calls. */
export type AgentEvent =
  | {
      readonly type: "agent-start";
      readonly runId: string;
      readonly agent: string;
      readonly model: string;
      /** Where it works; while that process is there, nobody else works in the session. */
      readonly process?: { readonly pid: number; readonly startedAt: string };
    }
  | { readonly type: "user-message"; readonly text: string }
  /** What the model was told in the person's place. */
  | {
      readonly type: "reminder-message";
      readonly runId: string;
      /** What is left to do, or what became of agents that work beside. */
      readonly about: "tasks" | "agents";
      readonly text: string;
    }
  /** From here on, what comes in waits for the next step. */
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
      /** What the model was shown of a result that has images; their bytes are kept beside the log. */
      readonly type: "images-show";
      readonly runId: string;
      readonly callId: string;
      readonly content: readonly (
        | { readonly type: "text"; readonly text: string }
        | { readonly type: "image"; readonly mimeType: string; readonly name: string }
      )[];
    }
  /** The model's provider has refused to show it these. */
  | { readonly type: "images-hide"; readonly runId: string; readonly callIds: readonly string[] }
  | {
      /** Old outputs and steps that the model is not shown any more; the log keeps them. */
      readonly type: "context-trim";
      readonly runId: string;
      readonly cutMessages?: readonly CutMessage[];
      readonly masked: readonly MaskedCall[];
      readonly droppedSteps: number;
      readonly droppedMessages: number;
    }
  | {
      readonly type: "agent-end";
      readonly runId: string;
      readonly reason: AgentEndReason;
      readonly steps: number;
      readonly usage: TokenUsage;
      readonly text: string;
      readonly error?: { readonly message: string };
    };

/** A piece of what the model is saying. */
export interface ModelDelta<Type> {
  readonly type: Type;
  readonly runId: string;
  readonly step: number;
  readonly text: string;
}
