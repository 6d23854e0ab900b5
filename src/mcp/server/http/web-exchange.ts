import type { IncomingMessage, ServerResponse } from "node:http";

/** The body as text, or undefined if it is too large; the rest is then read and dropped, so that the answer arrives. */
export async function readRequestBody(
  request: IncomingMessage,
  { maxBytes }: { maxBytes: number },
): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else if (bytes > maxBytes * dropFactor) throw new Error("the body is far too large");
    else chunks.length = 0;
  }
  return bytes > maxBytes ? undefined : Buffer.concat(chunks).toString("utf8");
}

const dropFactor = 8;

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
      if (!outgoing.write(part.value)) await drained(outgoing);
    }
    outgoing.end();
  } finally {
    outgoing.off("close", giveUp);
  }
}

function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      outgoing.off("drain", go);
      outgoing.off("close", go);
      resolve();
    };
    outgoing.on("drain", go);
    outgoing.on("close", go);
  });
}
