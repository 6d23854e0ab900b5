import type { EventEmitter } from "node:events";
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
  /** Asks the user and waits for the answer. Rejects if no person can be asked. */
  onClarificationRequest(request: PulseClarification): Promise<string>;
}

export interface PulseClarification {
  readonly question: string;
  readonly context?: string;
  readonly defaultAnswer?: string;
  readonly timeout?: number;
}

/** Hooks around a call, in the words of Pulse's tools. One that throws stops the call. */
export interface PulseToolHooks {
  beforeToolCall?(call: {
    readonly name: string;
    readonly input: unknown;
  }): MayWatch<{ readonly input?: unknown }>;
  afterToolCall?(call: {
    readonly name: string;
    readonly input: unknown;
    readonly output: unknown;
  }): MayWatch<{ readonly output?: unknown }>;
  /** `beforeToolCall` as the engine's options have it: the hook may return another input. */
  onBeforeToolCall?(name: string, input: Record<string, unknown>): unknown;
  /** `afterToolCall` as the engine's options have it: the hook may return another output. */
  onAfterToolCall?(name: string, input: Record<string, unknown>, output: unknown): unknown;
}

/** Hooks around a run and around each request to the model. One that throws ends the run. */
export interface PulseRunHooks {
  /** Before a run. Of the tools, those that are returned may be used in it. */
  beforeRun?(run: PulseRequest): MayWatch<PulseRequestChange>;
  afterRun?(run: { readonly context: PulseContext; readonly result: string }): MayWatch<never>;
  /** Before each request. Of the tools, those that are returned are offered in it. */
  beforeLLMCall?(request: PulseRequest): MayWatch<PulseRequestChange>;
  afterLLMCall?(answer: {
    readonly context: PulseContext;
    readonly finishReason: string;
    readonly text: string;
  }): MayWatch<never>;
}

export interface PulseHooks extends PulseToolHooks, PulseRunHooks {}

/** The conversation so far, in the AI SDK's form. */
export interface PulseContext {
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

export interface PulseRequest {
  readonly context: PulseContext;
  readonly systemPrompt?: PulseSystemPrompt;
  readonly tools: Readonly<Record<string, unknown>>;
}

export interface PulseRequestChange {
  readonly systemPrompt?: PulseSystemPrompt;
  readonly tools?: Readonly<Record<string, unknown>>;
}

/** Instructions in place of the built-in ones, or after them. */
export type PulseSystemPrompt = string | (() => string) | { readonly append: string };

export interface PulsePlugin {
  readonly name: string;
  readonly version?: string;
  readonly dependencies?: readonly string[];
  beforeInitialize?(context: PulsePluginContext): MaybePromise<void>;
  initialize(context: PulsePluginContext): MaybePromise<void>;
  afterInitialize?(context: PulsePluginContext): MaybePromise<void>;
  destroy?(context: PulsePluginContext): MaybePromise<void>;
}

export interface PulsePluginContext {
  registerTool(name: string, tool: Omit<PulseTool, "name"> & { readonly name?: string }): void;
  registerTools(tools: Readonly<Record<string, Omit<PulseTool, "name"> & { readonly name?: string }>>): void;
  /** A tool that a plugin registered. */
  getTool(name: string): unknown;
  getTools(): Readonly<Record<string, unknown>>;
  registerHook<Name extends keyof PulseHooks>(name: Name, hook: NonNullable<PulseHooks[Name]>): void;
  registerService(name: string, service: unknown): void;
  /** A service of this plugin or of another one. */
  getService<Service = unknown>(name: string): Service | undefined;
  getConfig<Setting = unknown>(key: string): Setting | undefined;
  setConfig(key: string, value: unknown): void;
  /** For events between plugins. */
  readonly events: EventEmitter;
  readonly logger: Logger;
}

export type PulseModel = LanguageModelV4 | string;
