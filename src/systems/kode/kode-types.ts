import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { RuntimeOptions } from "../../index.ts";
import type { HookAnswer } from "../../kernel/call/index.ts";
import type { JsonSchema } from "../../shared/json-schema/json-schema.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { InferParams, ParamDefinitions } from "../../tool/params.ts";
import type { ToolContext, Variables } from "../../tool/tool-context.ts";
import type { KodeMessage } from "./kode-messages.ts";

// biome-ignore lint/suspicious/noExplicitAny: KODE's own types have it, and its users' code reads arguments without a check
export type KodeUntyped = any;

/** A tool as KODE's agents take it. */
export interface KodeToolInstance {
  readonly name: string;
  readonly description: string;
  readonly input_schema?: KodeUntyped;
  /** A manual for the model. */
  readonly prompt?: string | ((context: unknown) => unknown);
  readonly attributes?: KodeAttributes;
  /** What older tools have in the place of attributes. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** For the calls of this tool alone; `Agent` calls them before all others. */
  readonly hooks?: KodeHooks;
  exec(args: KodeUntyped, context: KodeToolContext): unknown;
  toDescriptor?(): KodeToolDescriptor;
}

export interface KodeToolDescriptor {
  readonly source: string;
  readonly name: string;
  readonly registryId?: string;
  readonly [field: string]: unknown;
}

export interface KodeAttributes {
  /** Changes nothing. */
  readonly readonly?: boolean;
  /** Can be run again safely. */
  readonly noEffect?: boolean;
}

export type KodeSimpleTool<Params extends ParamDefinitions = ParamDefinitions> = {
  readonly name: string;
  readonly description: string;
  readonly attributes?: KodeAttributes;
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly prompt?: string;
} & (
  | {
      readonly params: Params;
      readonly input_schema?: never;
      exec(args: InferParams<Params>, context: KodeToolContext): unknown;
    }
  | {
      readonly params?: never;
      readonly input_schema: JsonSchema;
      exec(args: Record<string, unknown>, context: KodeToolContext): unknown;
    }
);

/** What a tool gets beside its arguments. A plain object, so that it can be spread. */
export interface KodeToolContext {
  readonly agentId: string;
  readonly signal: AbortSignal;
  /** Adds a custom event to the log. */
  emit(eventType: string, data?: unknown): void;
  readonly agent: {
    readonly id: string;
    readonly events: { emitMonitor(event: Record<string, unknown>): void };
  };
  readonly services: Readonly<Record<string, unknown>>;
  readonly sandbox: KodeSandbox;
  readonly filePool: KodeFilePool;
  readonly variables: Variables;
  /** Everything else that tools of this runtime can use. */
  readonly toolwright: ToolContext;
}

/** The workspace, with every access judged like any other. */
export interface KodeSandbox {
  readonly kind: "local";
  readonly workDir: string;
  readonly fs: {
    resolve(path: string): string;
    /** Whether the path is below the workspace; whether it may be used is decided when it is. */
    isInside(path: string): boolean;
    read(path: string): Promise<string>;
    write(path: string, content: string): Promise<void>;
    /** A path for a file of the tool's own, relative to the workspace. */
    temp(name?: string): string;
    stat(path: string): Promise<{ readonly mtimeMs: number }>;
    /** Paths relative to the workspace, unless `absolute` is set. What git ignores is left out. */
    glob(pattern: string, options?: KodeGlobOptions): Promise<string[]>;
  };
  /** A command that takes longer than `timeoutMs` is stopped, and its code is 124. */
  exec(
    command: string,
    options?: { readonly timeoutMs?: number },
  ): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }>;
}

export interface KodeGlobOptions {
  /** Where to search. Default: the workspace. */
  readonly cwd?: string;
  readonly ignore?: readonly string[];
  /** Names that begin with a dot too. */
  readonly dot?: boolean;
  readonly absolute?: boolean;
}

/** Tells whether a file changed since the tool recorded it. A stale write is refused even without asking. */
export interface KodeFilePool {
  recordRead(path: string): Promise<void>;
  recordEdit(path: string): Promise<void>;
  /** A file that was never recorded is fresh. */
  validateWrite(path: string): Promise<KodeFreshness>;
  /** A file that was never recorded is not fresh. */
  checkFreshness(path: string): Promise<KodeFreshness>;
  getTrackedFiles(): string[];
  getAccessedFiles(): { readonly path: string; readonly mtime: number }[];
}

export interface KodeFreshness {
  /** It is as it was when it was last recorded. */
  readonly isFresh: boolean;
  /** Milliseconds since the epoch, as all times here. */
  readonly lastRead?: number;
  readonly lastEdit?: number;
  readonly currentMtime?: number;
}

export interface KodePermission {
  readonly mode?: "auto" | "approval" | "readonly";
  readonly requireApprovalTools?: readonly string[];
  /** The only tools that may be used. */
  readonly allowTools?: readonly string[];
  readonly denyTools?: readonly string[];
}

/** A call, in KODE's names. */
export interface KodeHookCall {
  readonly id: string;
  readonly name: string;
  readonly args: KodeUntyped;
  readonly agentId: string;
}

export type KodeHookDecision =
  | { readonly decision: "ask"; readonly meta?: Readonly<Record<string, unknown>> }
  | { readonly decision: "deny"; readonly reason?: string; readonly toolResult?: unknown }
  | { readonly decision?: undefined; readonly result: unknown };

/** Hooks of a template, of an agent, or of one tool. One that throws before a call denies it. */
export interface KodeHooks {
  preToolUse?(call: KodeHookCall, context: KodeHookContext): MaybePromise<HookAnswer<KodeHookDecision>>;
  postToolUse?(
    outcome: KodeToolOutcome,
    context: KodeHookContext,
  ): MaybePromise<HookAnswer<KodeOutcomeChange>>;
  /** Before each request. It may change the messages that are sent. */
  preModel?(messages: KodeMessage[]): MaybePromise<void>;
  /** After each answer. */
  postModel?(response: KodeMessage): MaybePromise<void>;
  /** When something was said. */
  messagesChanged?(snapshot: {
    readonly agentId: string;
    readonly messages: KodeMessage[];
  }): MaybePromise<void>;
}

/** Who makes the call that a hook sees. */
export interface KodeHookContext {
  readonly agentId: string;
  readonly agent: { readonly id: string };
  readonly signal: AbortSignal;
}

export interface KodeToolOutcome {
  readonly id: string;
  readonly name: string;
  readonly ok: boolean;
  readonly content: unknown;
}

/** Another content, or another outcome altogether. */
export interface KodeOutcomeChange {
  readonly update?: { readonly content?: unknown };
  readonly replace?: unknown;
}

export interface KodeTemplate {
  readonly id: string;
  readonly desc?: string;
  readonly systemPrompt?: string;
  /** Names of its tools; `*` for all of them. */
  readonly tools?: "*" | readonly string[];
  readonly model?: KodeModel;
  readonly permission?: KodePermission;
  readonly hooks?: KodeHooks;
  readonly runtime?: {
    readonly subagents?: { readonly templates?: readonly string[]; readonly depth?: number };
    readonly metadata?: KodeMetadata;
  };
}

/** A model of an AI SDK provider, or a name such as `anthropic/claude-sonnet-4-5`. */
export type KodeModel = LanguageModelV4 | string;

export interface KodeMetadata {
  /** Default: one minute. */
  readonly toolTimeoutMs?: number;
  readonly [name: string]: unknown;
}

export interface KodeAgentConfig {
  readonly agentId?: string;
  readonly templateId?: string;
  /** Names, KODE's tools, old and new, and built-in ones. Default: those of the template. */
  readonly tools?: readonly (string | KodeToolInstance | KodeBuiltin)[];
  readonly model?: KodeModel;
  readonly sandbox?: {
    readonly kind?: "local";
    readonly workDir?: string;
    /** The workspace is always a boundary. */
    readonly enforceBoundary?: boolean;
    readonly allowPaths?: readonly string[];
    readonly watchFiles?: boolean;
  };
  readonly overrides?: { readonly permission?: KodePermission; readonly hooks?: KodeHooks };
  readonly metadata?: KodeMetadata;
  /** Other options of the runtime beneath. */
  readonly toolwright?: Omit<RuntimeOptions, "tools" | "workspace" | "dialect" | "approvals">;
}

/** A built-in tool, known by its name. */
export interface KodeBuiltin {
  readonly name: string;
  readonly isBuiltin: true;
}
