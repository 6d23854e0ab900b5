import type { MaybePromise } from "../../../shared/maybe-promise.ts";
import { reportedFailure } from "../../../tool/tool-result.ts";
import type { ResolvedCall } from "../call.ts";
import type { CallOutcome } from "../call-outcome.ts";
import { maskedResult } from "../masked-result.ts";
import { outcomeOfError } from "../outcome.ts";
import { boundOutcome, withText } from "../shape-outcome.ts";
import { checkDecision, runHook } from "./before-hooks.ts";
import { HookView } from "./hook-view.ts";
import { type AfterCallHook, type AfterDecision, afterDecisionKeys } from "./hooks.ts";

/** Stage 9: each hook in turn may change or replace the result. */
export function runAfterHooks(call: ResolvedCall, outcome: CallOutcome): MaybePromise<CallOutcome> {
  const { afterCall } = call.host.hooks;
  return afterCall.length === 0 ? outcome : runAll(call, afterCall, outcome);
}

async function runAll(
  call: ResolvedCall,
  afterCall: readonly AfterCallHook[],
  outcome: CallOutcome,
): Promise<CallOutcome> {
  let current = outcome;
  for (const [index, hook] of afterCall.entries()) {
    const name = `hook afterCall[${index}]`;
    const decision = await runHook(call, name, (deadline) => hook(new HookView(call, { deadline }), current));
    if (!decision) continue;
    checkDecision(call, decision, { name, keys: afterDecisionKeys });
    current = await boundOutcome(call, apply(call, current, decision));
  }
  return current;
}

function apply(call: ResolvedCall, outcome: CallOutcome, decision: AfterDecision): CallOutcome {
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
