/** Every way a call can go wrong. A code exists because somebody branches on it. */
export const errorCodes = [
  // refused before running
  "unknown-tool",
  "invalid-input",
  "permission-denied",
  "approval-needed",
  "budget-exceeded",
  "hook-failed",
  "session-closed",
  "unsupported",
  "unavailable",
  // ended while running
  "timed-out",
  "cancelled",
  "tool-failed",
  "invalid-output",
  "nobody-to-ask",
  "declined",
  "unknown-outcome",
  "store-failed",
  // about files
  "not-found",
  "outside-workspace",
  "not-a-file",
  "is-directory",
  "not-a-directory",
  "binary-file",
  "not-text",
  "access-denied",
  "already-exists",
  "stale-file",
  "no-match",
  "ambiguous-match",
  "conflict",
  "too-large",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface ToolErrorOptions {
  /** What the caller can do instead. */
  readonly hint?: string;
  /** Whether the same call may succeed if simply made again. */
  readonly retryable?: boolean;
  /** What had been produced by the time it went wrong; given to the caller beside the error. */
  readonly partial?: unknown;
  readonly cause?: unknown;
}

/** The one error type of a tool: a code to branch on, a sentence for the reader, a hint on what to do. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ErrorCode;
  readonly hint: string | undefined;
  readonly retryable: boolean;
  readonly partial: unknown;

  constructor(code: ErrorCode, message: string, options: ToolErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.partial = options.partial;
  }
}
