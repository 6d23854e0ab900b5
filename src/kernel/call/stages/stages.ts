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
  after: stages.flatMap(({ after }) => after ?? []),
};

/** Returns what the stages do once the call is allowed. */
export function beforeStages(call: ResolvedCall): readonly (() => Promise<void>)[] {
  return moments.before.flatMap((before) => before(call) ?? []);
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

export async function afterStages(call: Call, outcome: CallOutcome): Promise<CallOutcome> {
  let told = outcome;
  for (const after of moments.after) {
    const next = after(call, told);
    told = next instanceof Promise ? await next : next;
  }
  return told;
}
