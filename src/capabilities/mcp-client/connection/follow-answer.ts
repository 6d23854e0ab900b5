import type { RequestId } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../shared/json.ts";
import { errorAnswer } from "../../../shared/json-rpc/error-answer.ts";

/** Error code for a connection that ended before the answer arrived. */
export const answerLostCode = -32_090;

interface Answered {
  readonly id: RequestId;
  readonly mustAnswer: boolean;
  /** Of the whole connection. */
  readonly signal: AbortSignal | undefined;
  /** Aborted when the request was cancelled. */
  readonly cancelled: AbortSignal;
  readonly onEnd: () => void;
}

/**
 * Passes on the complete events of a request's stream, up to its answer; later events were not asked for. If the stream
 * of a request that must be answered ends before that and cannot be resumed, adds an error as the answer: the SDK would
 * otherwise wait until the timeout. After a request that was cancelled it would resume the stream.
 */
export function followAnswer(
  events: ReadableStream<Uint8Array>,
  request: Answered,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(follow(events, request));
}

async function* follow(
  events: ReadableStream<Uint8Array>,
  { id, mustAnswer, signal, cancelled, onEnd }: Answered,
): AsyncGenerator<Uint8Array> {
  let isResumable = false;
  try {
    for await (const event of events) {
      yield event;
      if (isAnswer(event, id)) return;
      isResumable ||= linesOf(event, "id").length > 0;
    }
  } catch (error) {
    if (!cancelled.aborted && (!mustAnswer || isResumable || signal?.aborted)) throw error;
  } finally {
    onEnd();
  }
  if (cancelled.aborted || (mustAnswer && !isResumable)) yield lost(id);
}

function isAnswer(event: Uint8Array, id: RequestId): boolean {
  const lines = linesOf(event, "data");
  if (lines.length === 0) return false;
  try {
    const message: unknown = JSON.parse(lines.join("\n"));
    if (!isPlainObject(message) || message.jsonrpc !== "2.0" || message.id !== id) return false;
    return isPlainObject(message.result) || isPlainObject(message.error);
  } catch {
    return false;
  }
}

function linesOf(event: Uint8Array, field: "data" | "id"): string[] {
  const lines = new TextDecoder().decode(event).split(/\r?\n/);
  return lines.flatMap((line) => (line.startsWith(`${field}:`) ? line.slice(field.length + 1) : []));
}

function lost(id: RequestId): Uint8Array {
  const answer = errorAnswer("the connection ended before the answer arrived", { id, code: answerLostCode });
  return new TextEncoder().encode(`event: message\ndata: ${JSON.stringify(answer)}\n\n`);
}
