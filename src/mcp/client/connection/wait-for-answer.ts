import type { RequestId } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../shared/json.ts";

/** Error code for a connection that ended before the answer arrived. */
export const answerLostCode = -32_090;

/**
 * Passes on the complete events of a request's stream. If the stream ends before the answer and cannot be resumed, adds
 * an error as the answer: the SDK would otherwise wait until the timeout.
 */
export function waitForAnswer(
  events: ReadableStream<Uint8Array>,
  { id, signal }: { id: RequestId; signal: AbortSignal | undefined },
): ReadableStream<Uint8Array> {
  return ReadableStream.from(follow(events, { id, signal }));
}

async function* follow(
  events: ReadableStream<Uint8Array>,
  { id, signal }: { id: RequestId; signal: AbortSignal | undefined },
): AsyncGenerator<Uint8Array> {
  let last: Uint8Array = new Uint8Array();
  let isResumable = false;
  try {
    for await (const event of events) {
      yield event;
      last = event;
      isResumable ||= linesOf(event, "id").length > 0;
    }
  } catch (error) {
    // A caller that aborted waits for no answer.
    if (isResumable || signal?.aborted) throw error;
  }
  if (!isResumable && !isAnswer(last, id)) yield lost(id);
}

function isAnswer(event: Uint8Array, id: RequestId): boolean {
  try {
    const message: unknown = JSON.parse(linesOf(event, "data").join("\n"));
    return isPlainObject(message) && message.id === id && !("method" in message);
  } catch {
    return false;
  }
}

function linesOf(event: Uint8Array, field: "data" | "id"): string[] {
  const lines = new TextDecoder().decode(event).split(/\r?\n/);
  return lines.flatMap((line) => (line.startsWith(`${field}:`) ? line.slice(field.length + 1) : []));
}

function lost(id: RequestId): Uint8Array {
  const error = { code: answerLostCode, message: "the connection ended before the answer arrived" };
  const message = JSON.stringify({ jsonrpc: "2.0", id, error });
  return new TextEncoder().encode(`event: message\ndata: ${message}\n\n`);
}
