import { describeThrown } from "../../shared/text/describe-thrown.ts";
import type { Caller } from "../../tool/caller.ts";
import type { HandlerName } from "../../tool/read-isolated.ts";
import type { Logger } from "../../tool/tool-context.ts";
import { type ErrorCode, errorCodes, ToolError } from "../../tool/tool-error.ts";

/** What the runtime sends to the process of an isolated tool. */
export type ToProcess =
  | ({ readonly kind: "call" } & CallMessage)
  | {
      readonly kind: "answer";
      readonly use: number;
      readonly outcome: SentOutcome;
      readonly deadline: number;
    }
  | { readonly kind: "callback"; readonly callback: number; readonly id: number; readonly given: unknown }
  | { readonly kind: "reports-taken" }
  | { readonly kind: "abort"; readonly reason: SentError };

export interface CallMessage {
  readonly module: string;
  readonly tool: string;
  readonly handler: HandlerName;
  readonly given: unknown;
  readonly facts: ContextFacts;
}

/** What a context says without being asked. */
export interface ContextFacts {
  readonly deadline: number;
  readonly sessionId: string;
  readonly workspace: string;
  readonly callId: string;
  readonly caller: Caller;
  readonly maxOutputCharacters: number;
  readonly variables: readonly (readonly [string, unknown])[];
  readonly taskVariables: readonly (readonly [string, unknown])[];
}

/** What the process of an isolated tool sends. Whatever the tool does to its process, this is all that reaches ours. */
export type FromProcess =
  | {
      readonly kind: "result";
      readonly outcome: SentOutcome;
      readonly reports: SentReports;
      readonly memoryBytes: number;
    }
  | {
      readonly kind: "use";
      readonly use: number;
      readonly service: string;
      readonly method: string;
      readonly given: readonly unknown[];
      /** Which of the arguments are functions, and their ids. */
      readonly callbacks: readonly (readonly [index: number, id: number])[];
    }
  | { readonly kind: "withdraw"; readonly use: number }
  | { readonly kind: "called"; readonly callback: number; readonly outcome: SentOutcome }
  | ({ readonly kind: "reports" } & SentReports)
  | { readonly kind: "stray"; readonly error: SentError }
  | { readonly kind: "crash"; readonly error: SentError };

export interface SentReports {
  readonly reports: readonly SentReport[];
  /** How many were made too fast to be sent. */
  readonly leftOut: number;
  readonly writes: readonly SentWrite[];
}

/** Data is sent as the JSON that it is kept as. */
export type SentReport =
  | { readonly report: "emit"; readonly type: string; readonly json?: string | undefined }
  | { readonly report: "progress"; readonly json?: string | undefined }
  | {
      readonly report: "log";
      readonly level: keyof Logger;
      readonly message: string;
      readonly json?: string | undefined;
    }
  | { readonly report: "truncated"; readonly all: { readonly storedPath?: string } | undefined };

interface SentWrite {
  readonly scope: "variables" | "taskVariables";
  readonly name: string;
  /** Undefined if it was deleted. */
  readonly value: unknown;
}

export type SentOutcome = { readonly value: unknown } | { readonly error: SentError };

export interface SentError {
  readonly message: string;
  readonly stack?: string | undefined;
  /** It is the reason of the call's own signal. */
  readonly isAbort?: boolean;
  /** Of a ToolError. */
  readonly code?: ErrorCode;
  readonly hint?: string | undefined;
  readonly retryable?: boolean;
  readonly partial?: unknown;
}

/** Also of a ToolError from another copy of the package. */
export function toSentError(thrown: unknown): SentError {
  const message = describeThrown(thrown);
  if (!(thrown instanceof Error)) return { message };
  const { stack } = thrown;
  const { name, code, hint, retryable, partial } = thrown as Partial<ToolError>;
  if (name !== "ToolError" || !errorCodes.includes(code as ErrorCode)) return { message, stack };
  return { message, stack, code: code as ErrorCode, hint, retryable: retryable === true, partial };
}

export function fromSentError({ message, stack, code, hint, retryable = false, partial }: SentError): Error {
  const error =
    code === undefined
      ? new Error(message)
      : new ToolError(code, message, { ...(hint !== undefined && { hint }), retryable, partial });
  // The tool's own lines, not ours.
  if (stack !== undefined) error.stack = stack;
  return error;
}
