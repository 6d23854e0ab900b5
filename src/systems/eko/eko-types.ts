import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { EkoMessage } from "../../capabilities/interop/index.ts";
import type { Variables } from "../../tool/tool-context.ts";

/** A tool as Eko's users write it: an object or an instance of a class. */
export interface EkoTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters: EkoInputSchema;
  /** Whether it may run beside other calls. */
  readonly supportParallelCalls?: boolean;
  execute(
    args: Record<string, unknown>,
    agentContext: EkoAgentContext,
    toolCall: EkoToolCall,
  ): Promise<EkoToolResult> | EkoToolResult;
}

/** JSON Schema; its users declare it as anything. */
export type EkoInputSchema = unknown;

export interface EkoToolResult {
  readonly content: readonly (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image"; readonly data: string; readonly mimeType?: string }
  )[];
  readonly isError?: boolean;
  readonly extInfo?: Record<string, unknown>;
}

/** The call, with its arguments under the names of older and of newer versions. */
export interface EkoToolCall {
  readonly type: "tool-call";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Record<string, unknown>;
  readonly input: Record<string, unknown>;
}

/** What a tool gets beside its arguments. */
export interface EkoAgentContext {
  readonly agent: { readonly Name: string };
  readonly agentChain: { readonly agent: { readonly id: string; readonly name: string } };
  /** Shared by the tools of this agent. */
  readonly variables: Variables;
  readonly context: {
    readonly taskId: string;
    /** Shared by all agents of the task. */
    readonly variables: Variables;
    readonly config: { readonly callback: EkoCallback & EkoHuman };
    /** Aborted when the call is cancelled or its time is up. */
    readonly controller: { readonly signal: AbortSignal };
    /** Throws if the call was cancelled or its time is up. */
    checkAborted(): void;
  };
}

export type EkoCallbackMessage = Partial<EkoMessage> & Pick<EkoMessage, "type">;

/** Who gets messages, and may answer in place of the runtime's own questions. */
export interface EkoCallback extends Partial<EkoHuman> {
  onMessage(message: EkoCallbackMessage): Promise<void> | void;
}

/** How a tool asks the person. */
export interface EkoHuman {
  onHumanConfirm(agentContext: EkoAgentContext, prompt: string): Promise<boolean>;
  onHumanInput(agentContext: EkoAgentContext, prompt: string): Promise<string>;
  onHumanSelect(
    agentContext: EkoAgentContext,
    prompt: string,
    options: readonly string[],
    multiple?: boolean,
  ): Promise<readonly string[]>;
  onHumanHelp(agentContext: EkoAgentContext, helpType: string, prompt: string): Promise<boolean>;
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
