import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { RenderableSchema } from "../../tool/input-schema.ts";
import type { Logger } from "../../tool/tool-context.ts";

/** A tool as Pulse's engine takes it: a schema and a function. */
export interface PulseTool<Input = unknown> {
  readonly name: string;
  readonly description: string;
  /** A Zod schema. */
  readonly inputSchema: RenderableSchema<unknown, Input>;
  /** Offered only after it was searched for. */
  readonly deferLoading?: boolean;
  execute(input: Input, context: PulseToolContext): MaybePromise<unknown>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook that only watches returns nothing
export type MayWatch<Change> = MaybePromise<Change | undefined | void>;

/** What a tool gets beside its input. */
export interface PulseToolContext {
  readonly abortSignal: AbortSignal;
  /** Asks the user and waits for the answer. Rejects if there is nobody to ask. */
  onClarificationRequest(request: PulseClarification): Promise<string>;
}

export interface PulseClarification {
  readonly question: string;
  readonly context?: string;
  readonly defaultAnswer?: string;
  readonly timeout?: number;
}

/** Hooks around a call, in the words of Pulse's tools. One that throws stops the call. */
export interface PulseHooks {
  beforeToolCall?(call: {
    readonly name: string;
    readonly input: unknown;
  }): MayWatch<{ readonly input: unknown }>;
  afterToolCall?(call: {
    readonly name: string;
    readonly input: unknown;
    readonly output: unknown;
  }): MayWatch<{ readonly output: unknown }>;
}

export interface PulsePlugin {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: readonly string[];
  initialize(context: PulsePluginContext): MaybePromise<void>;
  destroy?(): MaybePromise<void>;
}

export interface PulsePluginContext {
  registerTool(name: string, tool: Omit<PulseTool, "name"> & { readonly name?: string }): void;
  registerTools(tools: Readonly<Record<string, Omit<PulseTool, "name"> & { readonly name?: string }>>): void;
  registerHook<Name extends keyof PulseHooks>(name: Name, hook: NonNullable<PulseHooks[Name]>): void;
  registerService(name: string, service: unknown): void;
  getService(name: string): unknown;
  readonly logger: Logger;
}

export type PulseModel = LanguageModelV4 | string;
