import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { isPlainObject } from "../../../shared/json.ts";
import { errorAnswer } from "../../../shared/json-rpc/error-answer.ts";
import { findJsonExcess, requestLimits } from "../../../shared/json-rpc/find-json-excess.ts";
import { defined } from "../../../shared/options/defined.ts";
import { createByteBuffer } from "../../../shared/web/byte-buffer.ts";
import type { ConnectionLimits } from "../../../shared/web/limit-connections.ts";
import { untilDrained } from "../../../shared/web/until-drained.ts";
import type { ServerSdk } from "../load-server-sdk.ts";
import type { ClientTokens } from "./client-tokens.ts";
import { type AllowedAddresses, authenticate, checkAddresses, type Refusal } from "./http-gate.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";

export interface HandlerOptions {
  readonly sdk: ServerSdk;
  readonly endpoint: McpEndpoint;
  readonly addresses: AllowedAddresses;
  readonly tokens: Pick<ClientTokens, "identify">;
  readonly connections: ConnectionLimits;
  readonly maxBodyBytes: number;
  readonly health: () => Promise<ServerHealth>;
  /** As text. */
  readonly metrics: () => string;
}

interface ServerHealth {
  /** The rest is for clients with a token. */
  readonly status: string;
}

/** Checks each request before it reaches the endpoint. The body is read only once the address and token are accepted. */
export function createHttpHandler(options: HandlerOptions) {
  const { sdk, endpoint, addresses, tokens, connections, maxBodyBytes, health, metrics } = options;
  const answering = new Set<Promise<void>>();
  const open = createRequestCount(maxOpenRequests);
  let isStopping = false;

  const readMessage = async (incoming: IncomingMessage): Promise<{ message: unknown } | Refusal> => {
    if (!sdk.isJsonContentType(incoming.headers["content-type"])) {
      return { status: 415, message: "the content type must be application/json" };
    }
    if ((incoming.headers["content-encoding"] ?? "identity") !== "identity") {
      return { status: 415, message: "the body must not be compressed" };
    }
    const text = await readRequestBody(incoming, maxBodyBytes);
    if (text === undefined)
      return { status: 413, message: `the body is larger than the limit of ${maxBodyBytes} bytes` };
    const excess = findJsonExcess(text, requestLimits);
    if (excess !== undefined) return { status: 413, message: `the body cannot be taken: ${excess}` };
    try {
      return { message: JSON.parse(text) };
    } catch {
      return { status: 400, message: "the body is not valid JSON" };
    }
  };

  const answer = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    details: { client: string; body: unknown },
  ): Promise<void> => {
    const leaving = new AbortController();
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) leaving.abort(new Error("the client disconnected"));
    });
    const response = await endpoint.answer(toWebRequest(incoming, leaving.signal), details);
    await sendResponse(response, outgoing);
  };

  return {
    async handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
      const wrongAddress = checkAddresses(incoming, addresses);
      if (wrongAddress !== undefined) return refuse(outgoing, wrongAddress);
      const path = incoming.url?.split("?", 1)[0];
      const who = authenticate(incoming, tokens);
      if (path === "/health") {
        const found = isStopping ? { status: "stopping" } : await health();
        return tellHealth(outgoing, "client" in who ? found : { status: found.status });
      }
      if (path !== "/mcp" && path !== "/metrics")
        return refuse(outgoing, { status: 404, message: "not found; the MCP endpoint is /mcp" });
      if (!("client" in who)) return refuse(outgoing, who);
      if (path === "/metrics") return tellMetrics(outgoing, metrics());
      if (isStopping) return refuse(outgoing, { status: 503, message: "the server is stopping" });
      connections.assign(incoming.socket, who.client);
      if (!open.add(who.client)) return refuse(outgoing, tooMany);
      outgoing.once("close", () => open.remove(who.client));
      const body = incoming.method === "POST" ? await readMessage(incoming) : undefined;
      if (body !== undefined && "status" in body) return refuse(outgoing, body);
      if (Array.isArray(body?.message) && body.message.length > maxBatch) {
        return refuse(outgoing, { status: 413, message: `a batch may have at most ${maxBatch} messages` });
      }
      const answered = answer(incoming, outgoing, { client: who.client, body: body?.message });
      if (isCall(body?.message)) answering.add(answered);
      await answered.finally(() => answering.delete(answered));
    },
    /** Refuses all further requests. */
    stop(): void {
      isStopping = true;
    },
    /** Resolves when every call's answer has been sent. */
    async answered(): Promise<void> {
      await Promise.race([Promise.allSettled(answering), wait(maxAnswerMs, undefined, { ref: false })]);
    },
  };
}

// A client that does not read must not keep the server from stopping.
const maxAnswerMs = 1000;

// One client's requests must leave room for those of the others.
const maxOpenRequests = 200;
const maxBatch = 100;

const tooMany: Refusal = {
  status: 429,
  message: `this client has ${maxOpenRequests} requests open already; wait for their answers`,
  headers: { "Retry-After": "1" },
};

/** Counts the open requests of each client; one above the limit is refused and not counted. */
function createRequestCount(max: number) {
  const counts = new Map<string, number>();
  return {
    add(client: string): boolean {
      const count = counts.get(client) ?? 0;
      if (count >= max) return false;
      counts.set(client, count + 1);
      return true;
    },
    remove(client: string): void {
      counts.set(client, (counts.get(client) ?? 1) - 1);
    },
  };
}

// Behind a gateway, the others are calls too.
const callMethods: ReadonlySet<unknown> = new Set(["tools/call", "resources/read", "prompts/get"]);

function isCall(message: unknown): boolean {
  // Some legacy protocols allow several messages in one request.
  if (Array.isArray(message)) return message.some(isCall);
  return isPlainObject(message) && callMethods.has(message.method);
}

function tellHealth(outgoing: ServerResponse, health: ServerHealth): void {
  const headers = { "Content-Type": "application/json", "Cache-Control": "no-store" };
  const isServing = health.status === "ok" || health.status === "degraded";
  outgoing.writeHead(isServing ? 200 : 503, headers);
  outgoing.end(JSON.stringify(health));
}

function tellMetrics(outgoing: ServerResponse, text: string): void {
  outgoing.writeHead(200, { "Content-Type": "text/plain; version=0.0.4", "Cache-Control": "no-store" });
  outgoing.end(text);
}

export function refuse(outgoing: ServerResponse, { status, message, headers = {} }: Refusal): void {
  outgoing.writeHead(status, { "Content-Type": "application/json", Connection: "close", ...headers });
  const code = status === 400 ? parseError : undefined;
  outgoing.end(JSON.stringify(errorAnswer(message, { id: null, ...defined({ code }) })));
}

const parseError = -32_700;

/** The body as text, or undefined if it is too large; the rest is then read and dropped, so that the answer arrives. */
async function readRequestBody(request: IncomingMessage, maxBytes: number): Promise<string | undefined> {
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
// Each piece, however small, keeps all other clients waiting for a moment.
const maxPieces = 10_000;
const minPieceBytes = 16;

/** The request without its body, in the form that the SDK takes. */
function toWebRequest(
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
async function sendResponse(response: Response, outgoing: ServerResponse): Promise<void> {
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
