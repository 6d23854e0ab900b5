import { after, type MaybePromise } from "../../../shared/maybe-promise.ts";
import type { DecisionInput } from "../../policy/index.ts";
import type { Call, ResolvedCall } from "../call.ts";
import type { CallOutcome } from "../call-outcome.ts";
import { diagnostics } from "../checks/add-findings.ts";
import { budgetWarnings, conversions } from "../input/note-conversions.ts";
import { loops } from "../loops/guard-loops.ts";
import { secrets } from "../secrets/use-secrets.ts";
import type { Stage } from "./stage.ts";

/** In their order at each moment. */
const stages: readonly Stage[] = [secrets, diagnostics, conversions, loops, budgetWarnings];

const moments = {
  before: stages.flatMap(({ before }) => before ?? []),
  rule: stages.flatMap(({ rule }) => rule ?? []),
  approved: stages.flatMap(({ approved }) => approved ?? []),
  allowed: stages.flatMap(({ allowed }) => allowed ?? []),
  after: stages.flatMap(({ after }) => after ?? []),
};

export function beforeStages(call: ResolvedCall): void {
  for (const before of moments.before) before(call);
}

/** The first ruling of a stage. */
export function ruleOfStages(call: ResolvedCall): DecisionInput["hook"] {
  for (const rule of moments.rule) {
    const ruling = rule(call);
    if (ruling !== undefined) return ruling;
  }
  return undefined;
}

export function tellApproved(call: ResolvedCall): void {
  for (const approved of moments.approved) approved(call);
}

export function allowedStages(call: ResolvedCall): MaybePromise<void> {
  return inTurn(moments.allowed, undefined, (allowed) => allowed(call));
}

export function afterStages(call: Call, outcome: CallOutcome): MaybePromise<CallOutcome> {
  return inTurn(moments.after, outcome, (after, told) => after(call, told));
}

/** Takes the steps one after the other, each with the value of the one before; waits only for those that wait. */
function inTurn<Step, Value>(
  steps: readonly Step[],
  first: MaybePromise<Value>,
  take: (step: Step, value: Value) => MaybePromise<Value>,
): MaybePromise<Value> {
  return steps.reduce((before, step) => after(before, (value) => take(step, value)), first);
}
