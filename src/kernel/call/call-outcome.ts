import type { ErrorCode } from "../../tool/tool-error.ts";
import type { ContentPart } from "../../tool/tool-result.ts";
import type { CallStatus } from "../events/index.ts";

/** How a call ended, before it is recorded. */
export interface CallOutcome {
  readonly status: CallStatus;
  /** What the model reads. */
  readonly text: string;
  readonly content: readonly ContentPart[];
  readonly data?: unknown;
  readonly error?: CallError;
  /** The text leaves something out: it says what, and how to get it. */
  readonly truncated?: true;
  /** Number of characters cut from the text, unless the tool itself cut its output. */
  readonly omitted?: number;
  /** File with the full output. */
  readonly storedPath?: string;
}

export interface CallError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
}
