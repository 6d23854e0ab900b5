import type { FetchLike, RequestId } from "@modelcontextprotocol/client";
import { answerLimits, findJsonExcess } from "../../../shared/json-rpc/find-json-excess.ts";
import { waitForAnswer } from "./wait-for-answer.ts";

/**
 * A `fetch` that holds no answer above a size limit in memory, and passes none on that would be costly to parse. Such an
 * answer is replaced by an error, so that the connection survives and no request waits forever.
 */
export function createBoundedFetch(
  maxBytes: number,
  {
    fetch,
    onBytes,
    signal: whole,
  }: { fetch: FetchLike; onBytes: (bytes: number) => void; signal: AbortSignal | undefined },
): FetchLike {
  return async (url, init) => {
    // Protocol requests have their own signals; sign-in requests have none.
    const signal = init?.signal ?? whole;
    const response = await fetch(url, { ...init, ...(signal && { signal }) });
    if (response.body === null) return response;
    const type = response.headers.get("content-type") ?? "";
    const isStream = /^text\/event-stream\b/i.test(type);
    const { id, method } = requestOf(init?.body);
    const unusable = (why: string) => describeUnusable(id, why);
    const counted = response.body.pipeThrough(counting(onBytes));
    const readEvents = () => {
      const events = wholeEvents(maxBytes, (why) => encode(`event: message\ndata: ${unusable(why)}\n\n`));
      const whole = counted.pipeThrough(events);
      // Only tool calls: other requests have a timeout, and some are never answered.
      return id !== undefined && method === "tools/call" ? waitForAnswer(whole, { id, signal }) : whole;
    };
    const readWhole = () =>
      readBounded(counted, {
        maxBytes,
        isJson: /\bjson\b/i.test(type),
        unusable: (why) => encode(unusable(why)),
      });
    const body = isStream ? readEvents() : await readWhole();
    const { status, statusText } = response;
    const headers = new Headers(response.headers);
    // The body is already decompressed.
    for (const name of ["content-encoding", "content-length"]) headers.delete(name);
    return withAddress(new Response(body, { status, statusText, headers }), response);
  };
}

/** The SDK reads a response's URL, which the constructor cannot set. */
function withAddress(made: Response, { url, redirected }: Response): Response {
  return Object.defineProperties(made, { url: { value: url }, redirected: { value: redirected } });
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
  {
    maxBytes,
    isJson,
    unusable,
  }: { maxBytes: number; isJson: boolean; unusable: (why: string) => Uint8Array },
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes) return new Uint8Array(unusable(tooLarge(maxBytes)));
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  const excess = isJson ? excessOf(whole) : undefined;
  return new Uint8Array(excess === undefined ? whole : unusable(excess));
}

function tooLarge(maxBytes: number): string {
  return `the answer is larger than the limit of ${maxBytes} bytes`;
}

function excessOf(json: Uint8Array): string | undefined {
  // Too short for any of the limits.
  if (json.length <= answerLimits.maxDepth) return undefined;
  const excess = findJsonExcess(
    Buffer.from(json.buffer, json.byteOffset, json.length).toString("latin1"),
    answerLimits,
  );
  return excess && `the answer cannot be taken: ${excess}`;
}

/**
 * Passes events on one by one, only complete ones. An event above the limit is replaced by an error and ends the
 * stream.
 */
function wholeEvents(
  maxBytes: number,
  unusable: (why: string) => Uint8Array,
): TransformStream<Uint8Array, Uint8Array> {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let lineIsEmpty = true;
  return new TransformStream({
    transform(chunk, controller) {
      let sent = 0;
      for (let index = 0; index < chunk.length; index += 1) {
        const byte = chunk[index];
        if (byte === carriageReturn) continue;
        const endsEvent = byte === lineFeed && lineIsEmpty;
        lineIsEmpty = byte === lineFeed;
        if (!endsEvent) continue;
        const event = Buffer.concat([...held, chunk.subarray(sent, index + 1)]);
        const excess = excessOf(event);
        controller.enqueue(excess === undefined ? event : unusable(excess));
        sent = index + 1;
        held = [];
        heldBytes = 0;
      }
      if (sent < chunk.length) held.push(chunk.slice(sent));
      heldBytes += chunk.length - sent;
      if (heldBytes <= maxBytes) return;
      held = [];
      controller.enqueue(unusable(tooLarge(maxBytes)));
      controller.terminate();
    },
  });
}

const lineFeed = 10;
const carriageReturn = 13;

/** The request in a body that the SDK wrote. */
function requestOf(body: unknown): { id?: RequestId; method?: string } {
  if (typeof body !== "string") return {};
  try {
    return JSON.parse(body) as { id?: RequestId; method?: string };
  } catch {
    return {};
  }
}

function describeUnusable(id: RequestId | undefined, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code: -32_000, message } });
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
