import type { InputRequests, ServerContext } from "@modelcontextprotocol/server";
import { maxDelayMs } from "../../../shared/max-delay-ms.ts";
import type { RunningCall } from "./running-call.ts";

/**
 * Asks a call's person while its request waits, as the legacy protocols do. Done here, because the SDK would wait for the
 * answers even after the call has ended, and would not cancel a call whose answers never come.
 */
export async function askMeanwhile(
  call: Pick<RunningCall, "result" | "answer" | "cancel">,
  inputRequests: InputRequests,
  { mcpReq }: Pick<ServerContext, "mcpReq">,
): Promise<void> {
  const ended = new AbortController();
  const end = () => ended.abort(new Error("the call has ended"));
  call.result.then(end, end);
  const ask = async ([key, { method, params }]: [string, InputRequests[string]]) => {
    // No timeout here: the call table cancels a call that is not answered.
    const options = { signal: ended.signal, timeout: maxDelayMs };
    return [key, await mcpReq.send({ method, params: { mode: "form", ...params } }, options)] as const;
  };
  try {
    call.answer(Object.fromEntries(await Promise.all(Object.entries(inputRequests).map(ask))));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    call.cancel(new Error(`the client could not ask: ${why}`, { cause: error }));
  }
}
