import { isCallId } from "./begin-call.ts";
import type { CallHost, CallRequest } from "./call.ts";

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
