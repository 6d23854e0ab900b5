import { CallerGaveUp, DeadlineReached } from "../../shared/deadline.ts";
import { cutMiddle } from "../../shared/text/cut-middle.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { isBeyondText } from "../../tool/content-part.ts";
import { type ErrorCode, ToolError } from "../../tool/tool-error.ts";
import { isPartsResult, type NormalizedResult } from "../../tool/tool-result.ts";
import type { CallStatus } from "../events/index.ts";
import { StoreError } from "../store/index.ts";
import { type Call, hasBegun, nameOf } from "./call.ts";
import type { CallOutcome } from "./call-outcome.ts";
import { maskedResult, maskPart } from "./shape-outcome.ts";

/** Turns an exception into an outcome, whatever was thrown. The one place where exceptions are translated. */
export function outcomeOfError(call: Call, error: unknown): CallOutcome {
  try {
    return outcomeOf(call, toToolError(call, error));
  } catch {
    // Not even to be looked at, such as a proxy that throws.
    return outcomeOf(call, new ToolError("tool-failed", describeThrown(error)));
  }
}

function toToolError(call: Call, error: unknown): ToolError {
  if (error instanceof ToolError) return error;
  const name = nameOf(call);
  if (error instanceof DeadlineReached) {
    return new ToolError("timed-out", `${name} gave ${error.message}`, {
      hint: "Ask for less at once, or give the call a longer timeout.",
      cause: error,
    });
  }
  if (error instanceof CallerGaveUp) {
    return new ToolError("cancelled", `${name} was cancelled: ${error.message}`, { cause: error });
  }
  if (error instanceof StoreError) {
    return new ToolError("store-failed", `the call could not be recorded: ${error.message}`, {
      cause: error,
    });
  }
  return new ToolError("tool-failed", describeThrown(error), { cause: error });
}

const statuses: Partial<Record<ErrorCode, CallStatus>> = {
  "permission-denied": "denied",
  "approval-needed": "denied",
  "hook-failed": "denied",
  "timed-out": "timed-out",
  cancelled: "cancelled",
  "unknown-outcome": "sealed",
};

/** Some programs put everything they printed into an error's message; people read no more than this. */
function bounded(text: string): string {
  return cutMiddle(text, { maxCharacters: 10_000, headShare: 0.5 }).text;
}

/** What cannot be written as JSON is left out: the error itself is worth more. */
function readPartial({ host }: Call, partial: unknown): NormalizedResult | undefined {
  try {
    return partial === undefined ? undefined : maskedResult(host.redactor, partial);
  } catch {
    return undefined;
  }
}

/** The outcome of a failed call, in the dialect's words, with its output so far. */
export function outcomeOf(call: Call, error: ToolError): CallOutcome {
  const { dialect, redactor } = call.host;
  const { code, retryable, partial } = error;
  // A hook that fails after the call denies nothing any more.
  const status = code === "hook-failed" && hasBegun(call) ? "failed" : (statuses[code] ?? "failed");
  const message = redactor.text(dialect.encodeError({ code, message: bounded(error.message) }));
  const hint = error.hint === undefined ? undefined : redactor.text(bounded(error.hint));
  const explanation = hint === undefined ? message : `${message}\n${hint}`;
  const before = readPartial(call, partial);
  // Output so far belongs in front of the message; data about the failure is for code alone.
  const hasText = typeof partial === "string" || isPartsResult(partial);
  const text =
    before === undefined || !hasText || before.text === ""
      ? explanation
      : `${redactor.text(before.text)}\n${explanation}`;
  const failure = { code, message, ...(hint !== undefined && { hint }), retryable };
  const encoded = dialect.encodeFailure({
    ...failure,
    tool: nameOf(call),
    partial: before?.data,
    input: () => redactor.value(call.input),
  });
  const told = encoded.text ?? text;
  const beyondText = (before?.content ?? []).filter(isBeyondText).map((part) => maskPart(redactor, part));
  return {
    status,
    text: told,
    content: [{ type: "text", text: told }, ...beyondText],
    ...(encoded.data !== undefined && { data: encoded.data }),
    error: failure,
  };
}
