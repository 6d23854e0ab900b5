import type { CallResult } from "../../../kernel/call/index.ts";
import { StoreError } from "../../../kernel/store/index.ts";
import { type ErrorCode, ToolError } from "../../../tool/tool-error.ts";
import { UsageError } from "../command.ts";

/** A failed command in the JSON shape of a call's result, so that scripts find every error in the same place. */
export function describeFailure(error: unknown): Pick<CallResult, "status" | "error"> {
  const message = error instanceof Error ? error.message : String(error);
  return { status: "failed", error: { code: codeOf(error), message, retryable: false } };
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof ToolError) return error.code;
  if (error instanceof UsageError)
    return error.cause instanceof ToolError ? error.cause.code : "invalid-input";
  return error instanceof StoreError ? "store-failed" : "tool-failed";
}
