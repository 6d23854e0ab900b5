import { CallGate } from "../../policy/index.ts";
import type { ChangeChecks, CheckReport } from "../../services/index.ts";
import type { Call, ResolvedCall } from "../call.ts";
import type { CallOutcome } from "../call-outcome.ts";
import { withNote } from "../input/note-conversions.ts";
import type { Stage } from "../stages/stage.ts";

/**
 * Stage 9b: adds what the session's checks find in the files that the call has changed. Whatever they say or do, the
 * status of the call stays the same. Where more changes follow at once, they are made after the last.
 */
export const diagnostics: Stage = {
  after(call, outcome) {
    const { checks } = call.host.stages;
    if (checks === undefined || !isResolved(call) || call.request.isDryRun) return outcome;
    checks.note(call.work.changes ?? []);
    return call.slot?.areChangesNext ? outcome : addFindings(call, outcome, checks);
  },
};

async function addFindings(
  call: ResolvedCall,
  outcome: CallOutcome,
  checks: ChangeChecks,
): Promise<CallOutcome> {
  try {
    const report = await check(call, checks);
    if (report === undefined) return outcome;
    Object.assign(call.noted, report.noted);
    return withNote(call, outcome, report.text);
  } catch {
    return outcome;
  }
}

function isResolved(call: Call): call is ResolvedCall {
  return call.resolved !== undefined && call.gate !== undefined;
}

/** A caller who gives up, or whose time is over, is not kept waiting by a check. */
async function check(call: ResolvedCall, checks: ChangeChecks): Promise<CheckReport | undefined> {
  const { signal } = call.deadline;
  if (signal.aborted) return undefined;
  // Another gate than the call's own: approving a change does not approve the program that checks it.
  const gate = new CallGate(call.host.policy, call).services;
  const stopped = Promise.withResolvers<undefined>();
  const stop = () => stopped.resolve(undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([checks.check({ gate, noted: call.noted }), stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
