import type { IncomingMessage, ServerResponse } from "node:http";
import { createByteBuffer } from "../../../shared/web/byte-buffer.ts";
import { untilDrained } from "../../../shared/web/until-drained.ts";

/** The body as text, or undefined if it is too large; the rest is then read and dropped, so that the answer arrives. */
export async function readRequestBody(
  request: IncomingMessage,
  { maxBytes }: { maxBytes: number },
): Promise<string | undefined> {
  const body = createByteBuffer();
  let bytes = 0;
  let pieces = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    pieces += 1;
    if (bytes > maxBytes * dropFactor) throw new Error("the body is far too large");
    if (pieces > maxPieces && bytes < pieces * minPieceBytes)
      throw new Error("the body comes in too many small pieces");
    if (bytes <= maxBytes) body.push(chunk);
    else body.take();
  }
  return bytes > maxBytes ? undefined : body.take().toString("utf8");
}

const dropFactor = 8;
// Each piece keeps everybody else waiting for a moment, whatever its size.
const maxPieces = 10_000;
const minPieceBytes = 16;

/** The request without its body, in the form that the SDK takes. */
export function toWebRequest(
  { method = "GET", headersDistinct, url = "/" }: IncomingMessage,
  signal: AbortSignal,
): Request {
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // The Host header has been checked already; this base URL is only a placeholder.
  return new Request(new URL(url, "http://localhost"), { method, headers, signal });
}

/** Streams a response, no faster than the client reads it. */
export async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    outgoing.end();
    return;
  }
  outgoing.flushHeaders();
  const reader = response.body.getReader();
  const giveUp = () => void reader.cancel().catch(() => {});
  outgoing.once("close", giveUp);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(part.value)) await untilDrained(outgoing);
    }
    outgoing.end();
  } finally {
    outgoing.off("close", giveUp);
  }
}
