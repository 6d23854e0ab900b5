import type { ToolContext } from "../../tool/tool-context.ts";
import type { ServiceCall } from "../services/index.ts";
import { requestConsent, requestEscalation } from "./asking/request-approval.ts";
import type { ResolvedCall, TimedDelegation } from "./call.ts";
import { holdSecrets } from "./secrets/use-secrets.ts";

/** A call as the services that it uses see it. */
export function createServiceCall(call: ResolvedCall, context: ToolContext): ServiceCall {
  const { id, host, caller, deadline, request, work } = call;
  return {
    id,
    sessionId: host.session.id,
    caller,
    deadline,
    isPreview: request.isDryRun === true,
    showsAbsolutePaths: call.resolved.showsAbsolutePaths,
    onApproval: request.onApproval,
    onQuestion: request.onQuestion,
    services: context,
    secrets: call.secrets,
    holdSecrets: (target) => holdSecrets(call, target),
    get delegation() {
      work.delegation ??= createDelegation();
      return work.delegation;
    },
    async whileSomebodyThinks(think) {
      deadline.pause();
      call.slot?.release();
      try {
        return await deadline.whileAsking(think());
      } finally {
        await call.slot?.acquire();
        call.gate.services.forget();
        // Rules may have changed meanwhile; reading them is not the tool's time either.
        await Promise.resolve(host.policy.refresh?.()).finally(() => deadline.resume());
      }
    },
    requestEscalation: (profile, why) => requestEscalation(call, profile, why),
    requestConsent: (asking, reason) => requestConsent(call, asking, reason),
    progress: context.progress,
    noted: call.noted,
    noteChange(change) {
      work.changes ??= [];
      work.changes.push(change);
    },
    noteHost(name) {
      work.hosts ??= new Set();
      work.hosts.add(name);
    },
  };
}

/** Measures how long a call waits for sub-agents. Waits that overlap are counted once. */
function createDelegation(): TimedDelegation {
  const ending = new AbortController();
  let waits = 0;
  let sinceMs = 0;
  let pastMs = 0;
  return {
    signal: ending.signal,
    get waitedMs() {
      return waits === 0 ? pastMs : pastMs + performance.now() - sinceMs;
    },
    async during(work) {
      if (waits === 0) sinceMs = performance.now();
      waits += 1;
      try {
        return await work;
      } finally {
        waits -= 1;
        if (waits === 0) pastMs += performance.now() - sinceMs;
      }
    },
    end: () => ending.abort(new Error("the call has ended")),
  };
}
