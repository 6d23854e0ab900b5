import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { SessionView, ToolContext } from "../../tool/tool-context.ts";

/** A tool as Flyto's engine takes it. */
export interface FlytoTool {
  Name(): string;
  /** Read by the model, each time the tools are listed. */
  Description(ctx: FlytoSessionContext): string;
  /** JSON Schema of the input, as an object or as its text. */
  InputSchema(): object | string;
  Execute(
    ctx: FlytoContext,
    input: FlytoInput,
    progress: FlytoProgress,
  ): MaybePromise<FlytoResult | FlytoPlainResult | string>;
  Metadata?(): FlytoMetadata;
  Capability?(): FlytoCapability;
  /** Says what `Execute` would do, without doing it. */
  DryRun?(ctx: FlytoContext, input: FlytoInput): unknown;
  /** Returns the call that reverts this one. The engine asks for it right after `Execute`. */
  GenerateUndo?(
    ctx: FlytoContext,
    input: FlytoInput,
    result: FlytoResult,
  ): MaybePromise<FlytoUndoInfo | FlytoPlainUndoInfo | undefined | null>;
}

/** A tool in TypeScript's casing. A method without arguments may also be a value. */
export interface FlytoPlainTool {
  readonly name: string | (() => string);
  readonly description: string | ((ctx: FlytoSessionContext) => string);
  readonly inputSchema: object | string | (() => object | string);
  execute(
    ctx: FlytoContext,
    input: FlytoInput,
    progress: FlytoProgress,
  ): MaybePromise<FlytoResult | FlytoPlainResult | string>;
  readonly metadata?: FlytoPlainMetadata | (() => FlytoPlainMetadata);
  readonly capability?: FlytoPlainCapability | (() => FlytoPlainCapability);
  dryRun?(ctx: FlytoContext, input: FlytoInput): unknown;
  generateUndo?(
    ctx: FlytoContext,
    input: FlytoInput,
    result: FlytoResult,
  ): MaybePromise<FlytoUndoInfo | FlytoPlainUndoInfo | undefined | null>;
}

export type AnyFlytoTool = FlytoTool | FlytoPlainTool;

/** The checked input. As a string it is its JSON, so that `JSON.parse(String(input))` works too. */
export type FlytoInput = Readonly<Record<string, unknown>>;

/** Reports how far a call has come: a line of text, or any JSON value. */
export type FlytoProgress = (update: unknown) => void;

/** What a description may depend on. */
export interface FlytoSessionContext {
  /** Absolute path of the folder that the tools work in. */
  readonly workdir: string;
  readonly session: SessionView;
}

/** What a tool gets beside its input. */
export interface FlytoContext {
  /** Absolute path of the folder that the call works in: a sub-agent's own worktree, if it has one. */
  readonly workdir: string;
  /** Aborted when the call is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** Resolves when the call is cancelled or its time is up. */
  Done(): Promise<void>;
  /** Why the call was ended; undefined while it may go on. */
  Err(): Error | undefined;
  /** When the call's time is up. */
  Deadline(): Date;
  /** Everything else that tools of this runtime can use. */
  readonly toolwright: ToolContext;
}

export interface FlytoMetadata {
  /** May run beside other calls. */
  readonly ConcurrencySafe?: boolean;
  /** Changes nothing. */
  readonly ReadOnly?: boolean;
  /** May destroy something that cannot be restored. */
  readonly Destructive?: boolean;
  readonly Aliases?: readonly string[];
  /** Words that a tool search should find it by. */
  readonly SearchHint?: string;
}

export type FlytoPlainMetadata = {
  readonly [Key in keyof FlytoMetadata as Uncapitalize<Key>]: FlytoMetadata[Key];
};

/** How a wrong call can be reverted, and which resources it touches. */
export interface FlytoCapability {
  readonly DryRun?: boolean;
  readonly Reversible?: boolean;
  /** Empty if it cannot be undone. */
  readonly UndoMethod?: "tool" | "manual" | "";
  readonly UndoToolName?: string;
  readonly AffectedResources?: readonly string[];
  readonly MinConfidence?: number;
}

export type FlytoPlainCapability = {
  readonly [Key in keyof FlytoCapability as Uncapitalize<Key>]: FlytoCapability[Key];
};

export interface FlytoResult {
  /** The text for the model. */
  readonly Output: string;
  readonly IsError?: boolean;
  /** For code: any JSON value. */
  readonly Data?: unknown;
  /** For a tool that can be reverted, in place of `GenerateUndo`. */
  readonly UndoInfo?: FlytoUndoInfo | null;
}

export type FlytoPlainResult = {
  readonly [Key in keyof FlytoResult as Uncapitalize<Key>]: FlytoResult[Key];
};

/** The call that reverts another one, or what a person has to do for that. */
export interface FlytoUndoInfo {
  readonly ToolName?: string;
  readonly Input?: unknown;
  readonly Description?: string;
}

export type FlytoPlainUndoInfo = {
  readonly [Key in keyof FlytoUndoInfo as Uncapitalize<Key>]: FlytoUndoInfo[Key];
};

/** A call that waits for a decision. */
export interface FlytoPermissionRequest {
  readonly id: string;
  readonly tool_use_id: string;
  readonly tool_name: string;
  readonly input: unknown;
  /** Why it needs a decision. */
  readonly reason: string;
}

/** A model of an AI SDK provider, or a name such as `anthropic/claude-sonnet-4-5`. */
export type FlytoModel = LanguageModelV4 | string;
