import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { EkoMessage } from "../../interop/events/eko-messages.ts";
import type { Variables } from "../../tool/tool-context.ts";

/** A tool as Eko's users write it: an object or an instance of a class. */
export interface Tool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters: InputSchema;
  /** Whether it may run beside other calls. */
  readonly supportParallelCalls?: boolean;
  execute(
    args: Record<string, unknown>,
    agentContext: AgentContext,
    toolCall: LanguageModelV1ToolCallPart,
  ): Promise<ToolResult> | ToolResult;
}

// biome-ignore lint/suspicious/noExplicitAny: Eko's users declare schemas as `any`
export type InputSchema = any;

export interface ToolResult {
  readonly content: readonly (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image"; readonly data: string; readonly mimeType?: string }
  )[];
  readonly isError?: boolean;
  readonly extInfo?: Record<string, unknown>;
}

/** The call, with its arguments under the names of older and of newer versions. */
export interface LanguageModelV1ToolCallPart {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Record<string, unknown>;
  readonly input: Record<string, unknown>;
}

export type LanguageModelV2ToolCallPart = LanguageModelV1ToolCallPart;

/** What a tool gets beside its arguments. */
export interface AgentContext {
  readonly agent: { readonly Name: string };
  readonly agentChain: { readonly agent: { readonly id: string; readonly name: string } };
  /** Shared by the tools of this agent. */
  readonly variables: Variables;
  readonly context: {
    readonly taskId: string;
    /** Shared by all agents of the task. */
    readonly variables: Variables;
    readonly config: { readonly callback: StreamCallback };
    /** Aborted when the call is cancelled or its time is up. */
    readonly controller: { readonly signal: AbortSignal };
    /** Throws if the call was cancelled or its time is up. */
    checkAborted(): void;
  };
}

export type StreamCallbackMessage = Partial<EkoMessage> & Pick<EkoMessage, "type">;

export interface StreamCallback {
  onMessage(message: StreamCallbackMessage): Promise<void> | void;
}

/** A model of an AI SDK provider, or where to find one. */
export type EkoModel =
  | LanguageModelV4
  | {
      readonly provider: string;
      readonly model: string;
      readonly apiKey?: string | (() => string | Promise<string>);
      readonly config?: { readonly baseURL?: string };
    };

export interface EkoResult {
  readonly taskId: string;
  readonly success: boolean;
  readonly stopReason: "done" | "abort" | "error";
  readonly result: string;
  readonly error?: Error;
}
