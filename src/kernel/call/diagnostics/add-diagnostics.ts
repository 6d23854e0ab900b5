import type { CheckReport, Diagnostics } from "../../../capabilities/diagnostics/open-diagnostics.ts";
import { CallGate } from "../../policy/call-gate.ts";
import type { Call, ResolvedCall } from "../call.ts";
import type { CallOutcome } from "../call-outcome.ts";
import { withNote } from "../input/note-conversions.ts";

/**
 * Stage 9b: says what the project's own checkers find in the files that the call has changed. Whatever they say or do, the
 * outcome stays what it was. Where more changes follow at once, they are asked after the last.
 */
export async function addDiagnostics(call: Call, outcome: CallOutcome): Promise<CallOutcome> {
  const { diagnostics } = call.host;
  if (diagnostics === undefined || !isResolved(call) || call.request.isDryRun) return outcome;
  diagnostics.note(call.changes ?? []);
  if (call.slot?.areChangesNext) return outcome;
  try {
    const reports = await askCheckers(call, diagnostics);
    if (reports.length === 0) return outcome;
    call.diagnostics = reports.map(({ name, finding }) => ({
      by: name,
      status: finding.status,
      ...(finding.status === "checked" && {
        problems: finding.fresh.length,
        before: finding.before,
        elsewhere: finding.elsewhere,
      }),
    }));
    return withNote(call, outcome, reports.map(({ text }) => text).join("\n\n"));
  } catch {
    return outcome;
  }
}

function isResolved(call: Call): call is ResolvedCall {
  return call.resolved !== undefined && call.gate !== undefined;
}

/** A caller who gives up, or whose time is over, is not kept waiting by a checker. */
async function askCheckers(call: ResolvedCall, diagnostics: Diagnostics): Promise<readonly CheckReport[]> {
  const { signal } = call.deadline;
  if (signal.aborted) return [];
  // Another gate than the call's own: approving a change does not approve what a checker does.
  const gate = new CallGate(call.host.policy, call);
  const stopped = Promise.withResolvers<readonly CheckReport[]>();
  const stop = () => stopped.resolve([]);
  signal.addEventListener("abort", stop, { once: true });
  const onPlanted = (paths: readonly string[]) => {
    call.planted = [...(call.planted ?? []), ...paths];
  };
  try {
    return await Promise.race([diagnostics.check({ gate, onPlanted }), stopped.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
