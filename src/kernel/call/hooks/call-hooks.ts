import { CallerGaveUp, type Deadline } from "../../../shared/deadline.ts";
import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import { knownKeys, type Shape, value } from "../../../shared/options/known-keys.ts";
import { findUnknownKey } from "../../../shared/options/refuse-unknown-keys.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { Caller } from "../../../tool/caller.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import { reportedFailure } from "../../../tool/tool-result.ts";
import type { Verdict } from "../../policy/index.ts";
import type { HookAnswers, ResolvedCall } from "../call.ts";
import type { CallOutcome } from "../call-outcome.ts";
import { copyInput } from "../copy-input.ts";
import { validateCanonical, validateWritten } from "../input/validate-input.ts";
import { outcomeOfError } from "../outcome.ts";
import { boundOutcome, maskedResult, withText } from "../shape-outcome.ts";
import {
  type AfterCallHook,
  type AfterDecision,
  afterDecisionKeys,
  type BeforeCallHook,
  type BeforeDecision,
  beforeDecisionKeys,
  type HookCall,
  type PermissionAnswer,
} from "./hooks.ts";
import { withinTime } from "./within-time.ts";

/** Stage 3: runs the hooks in order; each sees the input as changed by those before it. */
export function runBeforeHooks(call: ResolvedCall, { isExplaining = false } = {}): MaybePromise<void> {
  const { beforeCall } = call.host.stages.hooks();
  return beforeCall.length === 0 ? undefined : decideBefore(call, beforeCall, isExplaining);
}

async function decideBefore(
  call: ResolvedCall,
  beforeCall: readonly BeforeCallHook[],
  isExplaining: boolean,
): Promise<void> {
  for (const [index, hook] of beforeCall.entries()) {
    const decidedBy = `hook beforeCall[${index}]`;
    const decision = await runHook(call, decidedBy, (deadline) =>
      hook(new HookView(call, deadline, isExplaining)),
    );
    if (!decision) continue;
    checkDecision(call, decision, { name: decidedBy, keys: beforeDecisionKeys });
    call.answers = await applyBefore(call, decision, decidedBy);
    // No later hook can take back a denial or an answer.
    if (call.answers.ruling?.decision === "deny" || call.answers.instead !== undefined) break;
  }
}

async function applyBefore(
  call: ResolvedCall,
  decision: BeforeDecision,
  decidedBy: string,
): Promise<HookAnswers> {
  const { answers } = call;
  switch (decision.decision) {
    case "change":
      call.input = await validateCanonical(call, decision.input);
      return answers;
    case "rewrite":
      await validateWritten(call, decision.written);
      return { ...answers, written: decision.written };
    case "deny":
    case "ask":
      return {
        ...answers,
        ruling: { decision: decision.decision, reason: reasonOf(decision, decidedBy), decidedBy },
      };
    case "answer":
      return { ...answers, instead: { value: decision.result } };
  }
}

function reasonOf({ reason }: { readonly reason?: unknown }, decidedBy: string): string {
  const text = typeof reason === "string" ? reason.trim() : "";
  return text === "" ? `${decidedBy} gave no reason` : text;
}

/** What hooks answer in a person's place: a denial by any of them, or else the first approval. One that fails denies. */
export async function runPermissionHooks(
  call: ResolvedCall,
  verdict: Verdict,
): Promise<Pick<Verdict, "decision" | "reason" | "decidedBy"> | undefined> {
  let approval: Pick<Verdict, "decision" | "reason" | "decidedBy"> | undefined;
  for (const [index, hook] of call.host.stages.hooks().permission.entries()) {
    const decidedBy = `hook permission[${index}]`;
    const answer = await runHook(call, decidedBy, (deadline) => hook(new HookView(call, deadline), verdict));
    if (!answer) continue;
    checkDecision(call, answer, { name: decidedBy, keys: answerKeys });
    const { decision } = answer;
    const given = answer.reason.trim() === "" ? `${decidedBy} gave no reason` : answer.reason;
    const found = { decision, reason: `${given} (asked because ${verdict.reason})`, decidedBy };
    if (decision === "deny") return found;
    approval ??= found;
  }
  return approval;
}

const answerShape = knownKeys<PermissionAnswer>({ decision: value, reason: value });
const answerKeys = { allow: answerShape, deny: answerShape };

/** Stage 9: each hook in turn may change or replace the result. */
export function runAfterHooks(call: ResolvedCall, outcome: CallOutcome): MaybePromise<CallOutcome> {
  const { afterCall } = call.host.stages.hooks();
  return afterCall.length === 0 ? outcome : changeAfter(call, outcome, afterCall);
}

async function changeAfter(
  call: ResolvedCall,
  outcome: CallOutcome,
  afterCall: readonly AfterCallHook[],
): Promise<CallOutcome> {
  let current = outcome;
  for (const [index, hook] of afterCall.entries()) {
    const name = `hook afterCall[${index}]`;
    const decision = await runHook(call, name, (deadline) => hook(new HookView(call, deadline), current));
    if (!decision) continue;
    checkDecision(call, decision, { name, keys: afterDecisionKeys });
    current = await boundOutcome(call, applyAfter(call, current, decision));
  }
  return current;
}

function applyAfter(call: ResolvedCall, outcome: CallOutcome, decision: AfterDecision): CallOutcome {
  const { redactor } = call.host;
  if (decision.decision === "replace") {
    const failure = reportedFailure(decision.result);
    if (failure !== undefined) return outcomeOfError(call, failure);
    const { status, error } = outcome;
    return { status, ...maskedResult(redactor, decision.result), ...(error && { error }) };
  }
  const { text = outcome.text, data = outcome.data } = decision;
  return {
    ...(text === outcome.text ? outcome : withText(outcome, text)),
    ...(data !== undefined && { data: redactor.value(data) }),
  };
}

/** Whatever we cannot read as a decision may have been meant as a refusal. */
function checkDecision(
  call: ResolvedCall,
  given: { readonly decision: string },
  { name, keys }: { name: string; keys: Readonly<Record<string, Shape>> },
): void {
  const { decision } = given;
  if (!Object.hasOwn(keys, decision)) {
    const known = Object.keys(keys).join(", ");
    throw hookFailed(call, {
      name,
      why: `it returned the unknown decision ${JSON.stringify(decision)}; known: ${known}`,
    });
  }
  const unknown = findUnknownKey(given, keys[decision]!);
  if (unknown !== undefined) throw hookFailed(call, { name, why: `in its decision, ${unknown}` });
}

/** A hook that throws or hangs stops the call. */
async function runHook<Decision>(
  call: ResolvedCall,
  name: string,
  hook: (deadline: Deadline) => MaybePromise<Decision>,
): Promise<Decision> {
  try {
    return await withinTime(call, hook);
  } catch (error) {
    if (error instanceof CallerGaveUp) throw error;
    const why = describeThrown(error);
    throw hookFailed(call, { name, why, cause: error });
  }
}

function hookFailed(call: ResolvedCall, { name, why, cause }: HookFailure): ToolError {
  if (call.start === undefined)
    return new ToolError("hook-failed", `${name} failed, so the call was stopped: ${why}`, { cause });
  const tool = call.resolved.spokenName;
  return new ToolError("hook-failed", `${tool} ran, but ${name} failed, so its result is withheld: ${why}`, {
    hint: "Check what the call did before you make it again.",
    cause,
  });
}

interface HookFailure {
  readonly name: string;
  readonly why: string;
  readonly cause?: unknown;
}

/** One is made for every hook of every call, so the signal is created only if the hook reads it. */
class HookView implements HookCall {
  readonly callId: string;
  readonly sessionId: string;
  readonly caller: Caller;
  readonly tool: string;
  readonly name: string;
  readonly input: unknown;
  readonly isExplaining: boolean;
  readonly #deadline: Deadline;
  readonly #written: unknown;

  constructor(call: ResolvedCall, deadline: Deadline, isExplaining = false) {
    this.callId = call.id;
    this.sessionId = call.host.session.id;
    this.caller = call.caller;
    this.tool = call.resolved.entry.name;
    this.name = call.resolved.spokenName;
    this.input = copyInput(call.input);
    this.isExplaining = isExplaining;
    this.#deadline = deadline;
    this.#written = call.answers.written ?? call.request.input;
  }

  get written(): unknown {
    return copyInput(this.#written);
  }

  get signal(): AbortSignal {
    return this.#deadline.signal;
  }
}
