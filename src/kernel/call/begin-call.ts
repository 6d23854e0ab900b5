import { newId } from "../../shared/new-id.ts";
import { type Caller, isCaller } from "../../tool/caller.ts";
import { type Call, type CallRequest, noAnswers, type Slot } from "./call.ts";
import { CallDeadline } from "./call-deadline.ts";
import type { CallHost } from "./call-host.ts";

export function beginCall(host: CallHost, request: CallRequest, slot?: Slot): Call {
  // The clock starts when the tool does; until then only the caller or the session's end can stop the call.
  const deadline = new CallDeadline(isSignal(request.signal) ? request.signal : undefined);
  const { openCalls, caller } = host.run;
  const id = isCallId(request.id) && !openCalls.hasId(request.id) ? request.id : newId("call");
  openCalls.add(deadline, id);
  return {
    id,
    request,
    host,
    caller: callerOf(caller, request),
    deadline,
    slot,
    answers: noAnswers,
    noted: {},
    work: {},
  };
}

/** In the session of a sub-agent, everything is done on behalf of the caller that spawned it. */
function callerOf(own: Caller, { caller }: CallRequest): Caller {
  if (!isCaller(caller)) return own;
  const { onBehalfOf = caller.onBehalfOf } = own;
  return Object.freeze({ ...caller, ...(onBehalfOf && { onBehalfOf }) });
}

/**
 * Drops the request's id if another call of the session has it already: some models number the calls of every turn
 * from the beginning, but each call must be found, and undone, by its own id.
 */
export async function withFreeId(host: CallHost, request: CallRequest): Promise<CallRequest> {
  if (!isCallId(request.id) || host.run.openCalls.closeReason !== undefined) return request;
  // A failing store is reported when the call is recorded.
  const earlier = await host.kept.receipts({ callId: request.id }).catch(() => []);
  if (earlier.length === 0) return request;
  const { id: _taken, ...others } = request;
  return others;
}

export function isSignal(signal: unknown): signal is AbortSignal {
  return signal instanceof AbortSignal;
}

/** A caller's own id is kept only if it is safe in a log, a file name and a command line. */
export function isCallId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/.test(id);
}
