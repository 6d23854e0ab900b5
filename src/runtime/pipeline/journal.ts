import { canonicalJson } from "../../shared/json.ts";
import { sha256 } from "../../shared/sha256.ts";
import { shortenStrings } from "../../shared/shorten-strings.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Receipt, ReceiptBody } from "../events/receipt.ts";
import { noEffects } from "../permissions/verdict.ts";
import type { Call, CallOutcome, CallResult, ResolvedCall } from "./call.ts";
import { outcomeOf } from "./outcome.ts";

/** Stage 6: what is about to happen is on record before it can have any effect. */
export async function journalStart(call: ResolvedCall): Promise<void> {
  const { log, redactor } = call.environment;
  await log.append([
    {
      type: "call-start",
      callId: call.id,
      tool: call.resolved.entry.name,
      input: shortenStrings(redactor.value(call.input)),
      inputHash: hashOfInput(call),
      caller: call.caller,
    },
  ]);
}

/** Stage 10: the end and its receipt, in one piece. A call that cannot be recorded has not gone well. */
export async function journalEnd(call: Call, outcome: CallOutcome): Promise<CallResult> {
  call.deadline.end();
  const { log } = call.environment;
  const receipt = receiptOf(call, outcome);
  const { callId, tool, status, durationMs } = receipt;
  const { text, error, storedPath } = outcome;
  try {
    const linked = await log.finish(
      [
        {
          type: "call-end",
          callId,
          tool,
          status,
          text,
          ...(error && { error: { code: error.code, message: error.message } }),
          durationMs,
          ...(storedPath !== undefined && { storedPath }),
        },
      ],
      receipt,
    );
    return { ...outcome, callId, receipt: linked };
  } catch (cause) {
    if (call.environment.closing.aborted) return { ...outcome, callId, receipt: unlinked(receipt) };
    return unrecorded(call, receipt, cause);
  }
}

function receiptOf(call: Call, outcome: CallOutcome): ReceiptBody {
  const { environment, verdict, resolved } = call;
  const tool = resolved?.entry.name ?? String(call.request.name);
  const calledAs = resolved !== undefined && resolved.spokenName !== tool ? resolved.spokenName : undefined;
  const { effects = noEffects, ...ruling } = verdict ?? {};
  return {
    callId: call.id,
    sessionId: environment.session.id,
    startedAt: call.startedAt.toISOString(),
    durationMs: Math.round((performance.now() - call.startedClockMs) * 1000) / 1000,
    caller: call.caller,
    tool,
    ...(calledAs !== undefined && { calledAs }),
    input: safeInput(call),
    inputHash: hashOfInput(call),
    ...(verdict && { verdict: ruling as NonNullable<ReceiptBody["verdict"]> }),
    effects,
    status: outcome.status,
    ...(outcome.error && { code: outcome.error.code }),
    resultHash: sha256(outcome.text),
    ...(outcome.storedPath !== undefined && { storedPath: outcome.storedPath }),
  };
}

/** The input as the tool got it, or as it was given when it never got that far. */
function givenInput(call: Call): unknown {
  return call.input ?? call.request.input ?? {};
}

function safeInput(call: Call): unknown {
  try {
    const masked = shortenStrings(call.environment.redactor.value(givenInput(call)));
    return JSON.stringify(masked) === undefined ? null : masked;
  } catch {
    return "[not JSON]";
  }
}

function hashOfInput(call: Call): string {
  try {
    return sha256(canonicalJson(givenInput(call)) ?? "");
  } catch {
    return sha256("");
  }
}

function unrecorded(call: Call, body: ReceiptBody, cause: unknown): CallResult {
  const why = cause instanceof Error ? cause.message : String(cause);
  const error = new ToolError("store-failed", `what ${body.tool} did could not be recorded: ${why}`, {
    hint: "Look at what it did before you call it again.",
    cause,
  });
  const receipt = unlinked({ ...body, status: "failed", code: "store-failed" });
  return { ...outcomeOf(call, error), callId: body.callId, receipt };
}

/** A receipt that is in no chain, because the store could not take it. */
function unlinked(body: ReceiptBody): Receipt {
  return { ...body, position: 0, previousHash: "", hash: "" };
}
