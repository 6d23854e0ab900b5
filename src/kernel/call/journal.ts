import { sha256 } from "../../shared/crypto.ts";
import { Deadline, DeadlineReached } from "../../shared/deadline.ts";
import { canonicalJson } from "../../shared/json.ts";
import type { MaybePromise } from "../../shared/maybe-promise.ts";
import { relativeInside } from "../../shared/relative-inside.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { mapStrings } from "../../shared/text/map-strings.ts";
import type { Caller } from "../../tool/caller.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { CallEndEvent, Receipt, ReceiptBody } from "../events/index.ts";
import {
  type Effects,
  noEffects,
  type TaintSource,
  untrustedSources,
  type Verdict,
} from "../policy/index.ts";
import { StoreError } from "../store/index.ts";
import {
  type Call,
  type CallResult,
  calledTool,
  hasBegun,
  nameOf,
  type RecordedInput,
  type ResolvedCall,
} from "./call.ts";
import type { CallOutcome } from "./call-outcome.ts";
import { copyForRecord } from "./copy-input.ts";
import { outcomeOf } from "./outcome.ts";

/** Stage 6: records the call before it can have any effect. */
export function journalStart(call: ResolvedCall): MaybePromise<unknown> {
  const { input, inputHash } = recordInput(call);
  const { log, run } = call.host;
  const start = {
    type: "call-start",
    ...calledTool(call),
    input,
    inputHash,
    caller: maskCaller(call),
    run: run.id,
  } as const;
  releaseAnswer(call);
  const fail = (error: unknown): never => {
    call.start = "unrecorded";
    throw notRun(call, error);
  };
  call.start = "recorded";
  try {
    const writing = log.append([start]);
    return writing instanceof Promise ? withinOwnTime(call, writing).catch(fail) : undefined;
  } catch (error) {
    return fail(error);
  }
}

/** In the same entry as the start: an answer whose call has begun is used up, and any other is not. */
function releaseAnswer(call: Call): void {
  if (call.heldAnswer === undefined) return;
  call.host.people.approvals.kept?.release(call.heldAnswer);
  delete call.heldAnswer;
}

/** Another process may hold the store; the caller's own timeout applies all the same. */
async function withinOwnTime(call: ResolvedCall, writing: Promise<unknown>): Promise<unknown> {
  const { timeoutMs = 0, signal } = call.request;
  if (timeoutMs <= 0) return writing;
  const deadline = new Deadline(signal);
  deadline.start(timeoutMs);
  return deadline.race(writing).finally(() => deadline.close());
}

function notRun(call: ResolvedCall, error: unknown): unknown {
  const isLate = error instanceof DeadlineReached;
  if (!isLate && !(error instanceof StoreError)) return error;
  const message = `${nameOf(call)} was not run, because its start could not be recorded: ${error.message}`;
  return new ToolError(isLate ? "timed-out" : "store-failed", message, {
    hint: "Another process may be holding the store. Try again.",
    retryable: true,
    cause: error,
  });
}

/** Stage 10: records the end with the receipt. A call whose end cannot be recorded counts as failed. */
export async function journalEnd(call: Call, outcome: CallOutcome): Promise<CallResult> {
  call.deadline.close();
  releaseAnswer(call);
  const body = receiptOf(call, outcome);
  const { run } = call.host;
  const { text, error } = outcome;
  const end: CallEndEvent = {
    type: "call-end",
    callId: call.id,
    receipt: body,
    text,
    ...(error && { error: { code: error.code, message: error.message } }),
  };
  if (call.start === "unrecorded") {
    void recordLater(call, end);
    return { callId: call.id, ...outcome, receipt: unlinked(body) };
  }
  try {
    // Before the caller sees the result, so that its next call is judged by it, even after a crash.
    const noting = noteTaint(call);
    if (noting !== undefined) await noting;
    const finishing = finish(call, end);
    const receipt = finishing instanceof Promise ? await finishing : finishing;
    call.host.kept.undo.settle(call.id);
    return { callId: call.id, ...outcome, receipt };
  } catch (cause) {
    const isLost = cause instanceof ToolError;
    if (run.openCalls.closeReason !== undefined && !isLost)
      return { callId: call.id, ...outcome, receipt: unlinked(body) };
    return unrecorded(call, body, cause);
  } finally {
    run.openCalls.delete(call.deadline);
  }
}

/** Records the places that a stranger may write to, and that the call has read into the session. */
function noteTaint({ id, host, start, work: { hosts }, resolved, gate }: Call): Promise<void> | undefined {
  if (start === undefined) return undefined;
  const ofCommands = gate?.services.commandRequests ?? [];
  const isServer = resolved?.entry.layer === "mcp";
  // Fast path: most calls run no command and reach nothing.
  if (hosts === undefined && !isServer && ofCommands.length === 0) return undefined;
  const sources: readonly TaintSource[] = [
    ...[...(hosts ?? [])].map((name) => ({ kind: "web", name }) as const),
    ...(isServer ? [{ kind: "mcp", name: resolved.entry.source } as const] : []),
    ...untrustedSources(ofCommands),
  ];
  return sources.length === 0 ? undefined : host.kept.taint.add(sources, id);
}

/** The store was too slow for the start already, so the caller does not wait for the end as well. */
async function recordLater(call: Call, end: CallEndEvent): Promise<void> {
  try {
    await finish(call, end);
  } catch {
    // The caller already knows that nothing could be recorded.
  } finally {
    call.host.run.openCalls.delete(call.deadline);
  }
}

function finish({ host }: Call, end: CallEndEvent): MaybePromise<Receipt> {
  for (const onEnd of host.stages.onEnd) onEnd(end.receipt);
  return host.log.finish(end);
}

function receiptOf(call: Call, outcome: CallOutcome): ReceiptBody {
  const { host, verdict, resolved, noted } = call;
  // The name of a known tool is safe to record; any other name is the caller's text and may hold a secret.
  const tool = resolved?.entry.name ?? host.redactor.text(nameOf(call));
  const calledAs = resolved?.spokenName ?? tool;
  const { input, inputHash } = recordInput(call);
  return {
    callId: call.id,
    sessionId: host.session.id,
    startedAt: call.deadline.startedAt,
    durationMs: Math.round(call.deadline.workedMs * 1000) / 1000,
    caller: maskCaller(call),
    tool,
    ...(calledAs !== tool && { calledAs }),
    ...(resolved?.entry.versionOf && { toolVersion: resolved.entry.versionOf(call.id) }),
    ...(verdict && { verdict: maskRuling(call, verdict) }),
    effects: host.redactor.value(observedEffects(call)) as Effects,
    input,
    inputHash,
    ...(noted.conversions && {
      conversions: host.redactor.value(noted.conversions) as typeof noted.conversions,
    }),
    status: outcome.status,
    ...(outcome.error && { code: outcome.error.code }),
    resultHash: sha256(outcome.text),
    ...(outcome.storedPath !== undefined && { storedPath: outcome.storedPath }),
    ...(call.request.isDryRun && { isDryRun: true }),
    ...notedFields(call),
    ...(noted.undo !== undefined && { undo: noted.undo }),
  };
}

export function maskCaller({ caller, host: { redactor } }: Call): Caller {
  const { onBehalfOf } = caller;
  const masked = withMaskedName(caller, redactor);
  return onBehalfOf === undefined ? masked : { ...masked, onBehalfOf: withMaskedName(onBehalfOf, redactor) };
}

function withMaskedName<Named extends { readonly name: string }>(named: Named, redactor: Redactor): Named {
  const name = redactor.text(named.name);
  return name === named.name ? named : { ...named, name };
}

/** What a person is asked about, as the log keeps it. */
export function maskVerdict(call: Call, verdict: Verdict): Verdict {
  return { ...maskRuling(call, verdict), effects: call.host.redactor.value(verdict.effects) as Effects };
}

function maskRuling({ host }: Call, { effects: _effects, ...ruling }: Verdict): Omit<Verdict, "effects"> {
  const { redactor } = host;
  const { commands } = ruling;
  return {
    ...ruling,
    reason: redactor.text(ruling.reason),
    decidedBy: redactor.text(ruling.decidedBy),
    ...(commands && { commands: redactor.value(commands) as typeof commands }),
  };
}

/** Always in the order in which they are declared, whatever was noted first. */
function notedFields({ noted, host: { stages, redactor } }: Call): object {
  const fields: Record<string, unknown> = {};
  for (const [name, { mask }] of stages.receiptFields) {
    const value: unknown = Reflect.get(noted, name);
    if (value !== undefined) fields[name] = mask === undefined ? value : mask(value, redactor);
  }
  return fields;
}

/** The declared effects, and hosts and files that were reached and changed beyond them. */
function observedEffects({ verdict, work, request, host }: Call): Effects {
  const declared = verdict?.effects ?? noEffects;
  const { hosts } = work;
  const { changes = [] } = request.isDryRun ? {} : work;
  // Fast path: most calls only read.
  if (changes.length === 0 && hosts === undefined) return declared;
  const { workspace } = host.session;
  const changed = changes.map(({ path }) => relativeInside(workspace, path) ?? path);
  const writes = [...new Set([...declared.writes, ...changed])].slice(0, maxListedWrites);
  return {
    ...declared,
    writes: changes.length === 0 ? declared.writes : writes,
    hosts: hosts === undefined ? declared.hosts : [...new Set([...declared.hosts, ...hosts])],
  };
}

// A recursive copy may change many thousands of files; the undo record has all of them.
const maxListedWrites = 1000;

/** The input to record: as the tool got it, or as the caller gave it if the call never got that far. */
export function recordInput(call: Call): RecordedInput {
  const input = call.input ?? call.request.input ?? {};
  if (call.recorded?.of !== input) call.recorded = maskInput(call, input);
  return call.recorded;
}

function maskInput(call: Call, input: unknown): RecordedInput {
  try {
    const json = canonicalJson(input);
    // A copy, because the tool gets the input itself, and may change it.
    const masked = call.host.redactor.value(copyForRecord(input));
    // Fast path: nothing in a short input is long.
    const recorded = json.length <= maxKeptCharacters ? masked : shortenStrings(masked);
    return { of: input, input: recorded, inputHash: sha256(json) };
  } catch {
    // Code may pass anything; all that can be recorded is that it was not JSON.
    return { of: input, input: "[not JSON]", inputHash: sha256("") };
  }
}

const maxKeptCharacters = 10_000;

/** Cuts long strings, such as a file's content in an argument or a text given as a name, and notes their length. */
function shortenStrings(value: unknown): unknown {
  const shorten = (text: string) =>
    text.length <= maxKeptCharacters
      ? text
      : `${text.slice(0, maxKeptCharacters)}… [${text.length} characters]`;
  return mapStrings(value, { text: shorten, name: shorten });
}

function unrecorded(call: Call, body: ReceiptBody, cause: unknown): CallResult {
  const why = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof ToolError ? cause.code : "store-failed";
  const error = hasBegun(call)
    ? new ToolError(code, `${body.tool} ran, but its result could not be recorded: ${why}`, {
        hint: "Check what it did before you call it again.",
        cause,
      })
    : new ToolError(code, `${body.tool} was not run, and the call could not be recorded: ${why}`, {
        cause,
      });
  const receipt = unlinked({ ...body, status: "failed", code });
  return { ...outcomeOf(call, error), callId: body.callId, receipt };
}

/** A receipt outside the chain, because the store could not take it. */
function unlinked(body: ReceiptBody): Receipt {
  return { ...body, position: 0, previousHash: "", hash: "" };
}
