import type { ErrorCode } from "../../tool/tool-error.ts";
import type { ContentPart } from "../../tool/tool-result.ts";
import type { CallStatus } from "../events/receipt.ts";

/** How a call ended, before it is written down. */
export interface CallOutcome {
  readonly status: CallStatus;
  /** What the model reads. */
  readonly text: string;
  readonly content: readonly ContentPart[];
  readonly data?: unknown;
  readonly error?: CallError;
  /** How many characters the model does not see. */
  readonly truncated?: number;
  /** Where the whole output is. */
  readonly storedPath?: string;
}

export interface CallError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly retryable: boolean;
}
