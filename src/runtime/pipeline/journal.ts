import { canonicalJson } from "../../shared/json.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import { sha256 } from "../../shared/sha256.ts";
import { shortenStrings } from "../../shared/shorten-strings.ts";
import type { Caller } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { Receipt, ReceiptBody } from "../events/receipt.ts";
import { type Effects, noEffects, type Verdict } from "../permissions/verdict.ts";
import { type Call, type CallResult, nameOf, type RecordedInput, type ResolvedCall } from "./call.ts";
import type { CallOutcome } from "./call-outcome.ts";
import { outcomeOf } from "./outcome.ts";

/** Stage 6: what is about to happen is on record before it can have any effect. */
export async function journalStart(call: ResolvedCall): Promise<void> {
  const { input, inputHash } = recordInput(call);
  const callId = call.id;
  const tool = call.resolved.entry.name;
  const { log, run } = call.environment;
  await log.append([{ type: "call-start", callId, tool, input, inputHash, caller: maskCaller(call), run }]);
}

/** Stage 10: the end, which is the receipt too. A call that cannot be recorded has not gone well. */
export async function journalEnd(call: Call, outcome: CallOutcome): Promise<CallResult> {
  call.deadline.close();
  const body = receiptOf(call, outcome);
  const { log, openCalls } = call.environment;
  const { text, error } = outcome;
  try {
    const receipt = await log.finish({
      type: "call-end",
      callId: call.id,
      receipt: body,
      text,
      ...(error && { error: { code: error.code, message: error.message } }),
    });
    return { callId: call.id, ...outcome, receipt };
  } catch (cause) {
    if (openCalls.isClosed) return { callId: call.id, ...outcome, receipt: unlinked(body) };
    return unrecorded(call, body, cause);
  } finally {
    openCalls.delete(call.deadline);
  }
}

function receiptOf(call: Call, outcome: CallOutcome): ReceiptBody {
  const { environment, verdict, resolved } = call;
  // A name that leads to a tool was given by whoever made the tool; any other may be anything.
  const tool = resolved?.entry.name ?? environment.redactor.text(nameOf(call));
  const calledAs = resolved?.spokenName ?? tool;
  const { input, inputHash } = recordInput(call);
  return {
    callId: call.id,
    sessionId: environment.session.id,
    startedAt: call.startedAt,
    durationMs: Math.round((performance.now() - call.startedClockMs) * 1000) / 1000,
    caller: maskCaller(call),
    tool,
    ...(calledAs !== tool && { calledAs }),
    ...(verdict && { verdict: maskRuling(call, verdict) }),
    effects: maskEffects(call, observedEffects(call)),
    input,
    inputHash,
    status: outcome.status,
    ...(outcome.error && { code: outcome.error.code }),
    resultHash: sha256(outcome.text),
    ...(outcome.storedPath !== undefined && { storedPath: outcome.storedPath }),
    ...(call.request.isDryRun && { isDryRun: true }),
    ...(call.sandbox !== undefined && { sandbox: call.sandbox }),
    ...(call.undoName !== undefined && { undo: call.undoName }),
  };
}

function maskCaller({ caller, environment: { redactor } }: Call): Caller {
  const name = redactor.text(caller.name);
  return name === caller.name ? caller : { ...caller, name };
}

function maskRuling(
  { environment }: Call,
  { effects: _effects, ...ruling }: Verdict,
): Omit<Verdict, "effects"> {
  const { redactor } = environment;
  const { commands } = ruling;
  return {
    ...ruling,
    reason: redactor.text(ruling.reason),
    decidedBy: redactor.text(ruling.decidedBy),
    ...(commands && { commands: redactor.value(commands) as typeof commands }),
  };
}

function maskEffects({ environment }: Call, effects: Effects): Effects {
  return environment.redactor.value(effects) as Effects;
}

/** What was declared, and what was seen to be changed beyond it. */
function observedEffects({ verdict, changes = [], request, environment }: Call): Effects {
  const declared = verdict?.effects ?? noEffects;
  if (changes.length === 0 || request.isDryRun) return declared;
  const { workspace } = environment.session;
  const changed = changes.map(({ path }) => relativeInside(workspace, path) ?? path);
  const writes = [...new Set([...declared.writes, ...changed])];
  return { ...declared, writes: writes.slice(0, maxListedWrites) };
}

// A recursive copy may change many thousands; all of them are in what is kept for undo.
const maxListedWrites = 1000;

/** The input for the record: as the tool got it, or as it was given when it never got that far. */
function recordInput(call: Call): RecordedInput {
  const input = call.input ?? call.request.input ?? {};
  if (call.recorded?.of !== input) call.recorded = { of: input, ...maskInput(call, input) };
  return call.recorded;
}

function maskInput(call: Call, input: unknown): Omit<RecordedInput, "of"> {
  try {
    const inputHash = sha256(canonicalJson(input));
    return { input: shortenStrings(call.environment.redactor.value(input)), inputHash };
  } catch {
    // A caller in code may pass anything; that it was no JSON is all there is to record.
    return { input: "[not JSON]", inputHash: sha256("") };
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
