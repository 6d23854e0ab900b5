import { Deadline } from "../../shared/deadline.ts";
import { isoTime } from "../../shared/iso-time.ts";
import { newId } from "../../shared/new-id.ts";
import type { Call, CallHost, CallRequest, Slot } from "./call.ts";

export function beginCall(host: CallHost, request: CallRequest, slot?: Slot): Call {
  // The clock starts when the tool does; until then only the caller or the session's end can stop the call.
  const deadline = new Deadline(isSignal(request.signal) ? request.signal : undefined);
  const { openCalls } = host;
  const id = isCallId(request.id) && !openCalls.hasId(request.id) ? request.id : newId("call");
  openCalls.add(deadline, id);
  return {
    id,
    request,
    host,
    caller: request.caller ?? host.caller,
    deadline,
    startedAt: isoTime(),
    startedClockMs: performance.now(),
    slot,
  };
}

/**
 * The request without its id where another call of the session has that id: some models number the calls of every turn
 * from the beginning, and each call must still be found, and undone, by an id of its own.
 */
export async function withFreeId(host: CallHost, request: CallRequest): Promise<CallRequest> {
  if (!isCallId(request.id) || host.openCalls.isClosed) return request;
  // A store that fails says so when the call is recorded.
  const earlier = await host.receipts({ callId: request.id }).catch(() => []);
  if (earlier.length === 0) return request;
  const { id: _taken, ...others } = request;
  return others;
}

export function isSignal(signal: unknown): signal is AbortSignal {
  return signal instanceof AbortSignal;
}

/** A caller's own id is kept if it is fit for a log, a file name and a command line. */
export function isCallId(id: unknown): id is string {
  return typeof id === "string" && /^[A-Za-z0-9_][A-Za-z0-9_.:-]{0,127}$/.test(id);
}
