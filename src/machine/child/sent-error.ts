import { defined } from "../../shared/options/defined.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { type ErrorCode, errorCodes, ToolError } from "../../tool/tool-error.ts";

/** An error as it is sent: errors lose their class and their own fields on the way. */
export interface SentError {
  readonly message: string;
  readonly stack?: string | undefined;
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
      : new ToolError(code, message, { ...defined({ hint }), retryable, partial });
  // The tool's own lines, not ours.
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** What cannot be sent from one process to another, such as a function inside an object. */
export function cannotBeSent(what: string, cause: unknown): ToolError {
  return new ToolError("unsupported", `${what} cannot be sent between processes: ${describeThrown(cause)}`, {
    hint: "An isolated tool runs in another process: pass plain values.",
    cause,
  });
}
