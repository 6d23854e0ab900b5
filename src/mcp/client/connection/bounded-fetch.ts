import type { FetchLike, RequestId } from "@modelcontextprotocol/client";
import { waitForAnswer } from "./wait-for-answer.ts";

/**
 * A `fetch` that holds no answer above a size limit in memory. A longer answer is replaced by an error, so that the
 * connection survives and no request waits forever.
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
    const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
    const { id, method } = requestOf(init?.body);
    const tooLong = (bytes: number) => describeTooLong(id, bytes, maxBytes);
    const counted = response.body.pipeThrough(counting(onBytes));
    const readEvents = () => {
      const events = wholeEvents(maxBytes, (bytes) => `event: message\ndata: ${tooLong(bytes)}\n\n`);
      const whole = counted.pipeThrough(events);
      // Only tool calls: other requests have a timeout, and some are never answered.
      return id !== undefined && method === "tools/call" ? waitForAnswer(whole, { id, signal }) : whole;
    };
    const body = isStream ? readEvents() : await readBounded(counted, maxBytes, tooLong);
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
  maxBytes: number,
  tooLong: (bytes: number) => string,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    // Leaving the loop cancels the stream.
    if (bytes > maxBytes) return new TextEncoder().encode(tooLong(bytes));
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/**
 * Passes events on one by one, only complete ones. An event above the limit is replaced by an error and ends the
 * stream.
 */
function wholeEvents(
  maxBytes: number,
  tooLong: (bytes: number) => string,
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
        controller.enqueue(Buffer.concat([...held, chunk.subarray(sent, index + 1)]));
        sent = index + 1;
        held = [];
        heldBytes = 0;
      }
      if (sent < chunk.length) held.push(chunk.slice(sent));
      heldBytes += chunk.length - sent;
      if (heldBytes <= maxBytes) return;
      held = [];
      controller.enqueue(new TextEncoder().encode(tooLong(heldBytes)));
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

function describeTooLong(id: RequestId | undefined, bytes: number, maxBytes: number): string {
  const message = `the answer is larger than the limit of ${Math.min(bytes, maxBytes)} bytes`;
  return JSON.stringify({ jsonrpc: "2.0", id: id ?? null, error: { code: -32_000, message } });
}
