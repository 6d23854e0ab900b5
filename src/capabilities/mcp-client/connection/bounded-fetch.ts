import { setTimeout as wait } from "node:timers/promises";
import type { FetchLike, RequestId } from "@modelcontextprotocol/client";
import { isPlainObject } from "../../../shared/json.ts";
import { errorAnswer } from "../../../shared/json-rpc/error-answer.ts";
import { answerLimits, findJsonExcess } from "../../../shared/json-rpc/find-json-excess.ts";
import { createMessagePace, type MessagePace } from "../../../shared/json-rpc/message-pace.ts";
import { createByteBuffer } from "../../../shared/web/byte-buffer.ts";
import { withAddress } from "./origin-fetch.ts";

/**
 * A `fetch` that holds no answer above a size limit in memory, and passes none on that would be costly to parse. Such an
 * answer is replaced by an error, so that the connection survives and no request waits forever.
 */
export function createBoundedFetch(
  maxBytes: number,
  use: { fetch: FetchLike; onBytes: (bytes: number) => void; signal: AbortSignal | undefined },
): FetchLike {
  const { fetch, onBytes, signal: whole } = use;
  const pace = createMessagePace();
  const streamPace = createMessagePace(reopenedStreams);
  const open = new Map<RequestId, AbortController>();
  return async (url, init) => {
    const { id, method, params } = requestOf(init?.body);
    // The SDK would wait for an answer, or read it, for as long as the server likes.
    if (method === "notifications/cancelled") open.get(params?.requestId as RequestId)?.abort();
    const cancelling = new AbortController();
    if (id !== undefined) {
      open.set(id, cancelling);
      pace.ask();
    }
    const onEnd = () => id !== undefined && open.delete(id);
    // Protocol requests have their own signals; sign-in requests have none.
    const signal = init?.signal ?? whole;
    if ((init?.method ?? "GET") === "GET") await rest(streamPace, signal);
    const either = signal ? AbortSignal.any([signal, cancelling.signal]) : cancelling.signal;
    const response = await fetch(url, { ...init, signal: either }).catch((error) => {
      onEnd();
      throw error;
    });
    if (response.body === null) {
      onEnd();
      return response;
    }
    const type = response.headers.get("content-type") ?? "";
    const isStream = /^text\/event-stream\b/i.test(type);
    const unusable = (why: string) => JSON.stringify(errorAnswer(why, { id: id ?? null }));
    const counted = response.body.pipeThrough(counting(onBytes));
    const readEvents = () => {
      const events = wholeEvents(maxBytes, {
        pace,
        unusable: (why) => messageEvent(unusable(why)),
      });
      const whole = counted.pipeThrough(events);
      if (id === undefined) return whole;
      // Other requests have a timeout, and some are never answered.
      const mustAnswer = method === "tools/call";
      const request = { id, mustAnswer, signal, cancelled: cancelling.signal, onEnd };
      return ReadableStream.from(followAnswer(whole, request));
    };
    const readWhole = () =>
      readBounded(counted, {
        maxBytes,
        isJson: /\bjson\b/i.test(type),
        unusable: (why) => encode(unusable(why)),
      }).finally(onEnd);
    const body = isStream ? readEvents() : await readWhole();
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // The body is already decompressed.
    for (const name of ["content-encoding", "content-length"]) headers.delete(name);
    return withAddress(new Response(body, { status, statusText, headers }), response);
  };
}

// A server that ends its streams, and says how soon to come back, would have us ask without end.
const reopenedStreams = { perSecond: 1, atOnce: 20 };

async function rest(pace: MessagePace, signal?: AbortSignal | null): Promise<void> {
  const restMs = pace.read(1);
  if (restMs > 0) await wait(restMs, undefined, { ref: false, signal: signal ?? undefined });
}

function counting(onBytes: (bytes: number) => void): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      onBytes(chunk.length);
      controller.enqueue(chunk);
    },
  });
}

async function readBounded(
  body: ReadableStream<Uint8Array>,
  use: { maxBytes: number; isJson: boolean; unusable: (why: string) => Uint8Array },
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes, isJson, unusable } = use;
  const held = createByteBuffer();
  for await (const chunk of body) {
    held.push(chunk);
    // Leaving the loop cancels the stream.
    if (held.length > maxBytes) return new Uint8Array(unusable(tooLarge(maxBytes)));
  }
  const whole = held.take();
  const excess = isJson ? excessOf(whole) : undefined;
  return new Uint8Array(excess === undefined ? whole : unusable(excess));
}

function tooLarge(maxBytes: number): string {
  return `the answer is larger than the limit of ${maxBytes} bytes`;
}

function excessOf(json: Uint8Array): string | undefined {
  // Too short for any of the limits.
  if (json.length <= answerLimits.maxDepth) return undefined;
  const text = Buffer.from(json.buffer, json.byteOffset, json.length).toString("latin1");
  const excess = findJsonExcess(text, answerLimits);
  return excess && `the answer cannot be taken: ${excess}`;
}

/**
 * Passes complete events on one by one, no faster than leaves the process time for its other work. An event above the limit
 * is replaced by an error and ends the stream.
 */
function wholeEvents(
  maxBytes: number,
  { pace, unusable }: { pace: MessagePace; unusable: (why: string) => Uint8Array },
): TransformStream<Uint8Array, Uint8Array> {
  const held = createByteBuffer();
  let lineIsEmpty = true;
  return new TransformStream({
    async transform(chunk, controller) {
      let sent = 0;
      for (let index = 0; index < chunk.length; index += 1) {
        const byte = chunk[index];
        if (byte === carriageReturn) continue;
        const endsEvent = byte === lineFeed && lineIsEmpty;
        lineIsEmpty = byte === lineFeed;
        if (!endsEvent) continue;
        const event = held.take(chunk.subarray(sent, index + 1));
        const excess = excessOf(event);
        controller.enqueue(excess === undefined ? event : unusable(excess));
        sent = index + 1;
        await rest(pace);
      }
      held.push(chunk.subarray(sent));
      if (held.length <= maxBytes) return;
      held.take();
      controller.enqueue(unusable(tooLarge(maxBytes)));
      controller.terminate();
    },
  });
}

const lineFeed = 10;
const carriageReturn = 13;

/** Reads the request or notification in a body that the SDK wrote. An answer counts as neither: its id is the server's. */
function requestOf(body: unknown): OwnMessage {
  if (typeof body !== "string") return {};
  try {
    const message = JSON.parse(body) as OwnMessage;
    return message.method === undefined ? {} : message;
  } catch {
    return {};
  }
}

interface OwnMessage {
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown };
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function messageEvent(json: string): Uint8Array {
  return encode(`event: message\ndata: ${json}\n\n`);
}

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
async function* followAnswer(
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
  return messageEvent(JSON.stringify(answer));
}
