import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Server } from "@modelcontextprotocol/server";
import type { Runtime } from "../../open-runtime.ts";
import { isPlainObject } from "../../shared/json.ts";
import { announceChanges, onToolsChanged } from "./announce-changes.ts";
import { createClientSessions } from "./client-sessions.ts";
import type { ClientTokens } from "./client-tokens.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import { createDatedConnections } from "./dated-connections.ts";
import { allowedAddresses, authenticate, checkAddresses, type Refusal } from "./http-gate.ts";
import { loadSdk } from "./load-sdk.ts";
import { readBody, sendResponse, toWebRequest } from "./web-exchange.ts";

export interface HttpOptions {
  readonly version: string;
  readonly tokens: Pick<ClientTokens, "identify">;
  readonly host?: string;
  /** 0 takes any that is free. */
  readonly port?: number;
  /** Names this server is reached by besides those of this machine, with the port as clients write it. */
  readonly allowedHosts?: readonly string[];
  readonly maxBodyBytes?: number;
  /** How long a client may take to send its headers, and its whole request. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** How long calls may go on once the server is told to stop. */
  readonly graceMs?: number;
  readonly toolsPerPage?: number;
  readonly onError?: (error: Error) => void;
}

export interface HttpServing {
  readonly url: string;
  readonly port: number;
  /** Takes no more requests, finishes or cancels the calls under way, and answers them. */
  close(): Promise<void>;
}

/** Serves any number of clients at `/mcp`, each token with a session of its own. */
export async function serveHttp(runtime: Runtime, options: HttpOptions): Promise<HttpServing> {
  const { host = "127.0.0.1", maxBodyBytes = defaultMaxBodyBytes, graceMs = defaultGraceMs } = options;
  const { headersTimeoutMs = 10_000, requestTimeoutMs = 60_000, onError = () => {} } = options;
  const sdk = await loadSdk();
  const sessions = createClientSessions(runtime, { ...options, sdk });
  const current = sdk.createMcpHandler(
    async ({ authInfo }) => createMcpServer(await sessions.partsOf(authInfo!.clientId)),
    { legacy: "reject", onerror: onError },
  );
  const stopAnnouncing = onToolsChanged(runtime, () => current.notify.toolsChanged());
  const dated = createDatedConnections({
    sdk,
    async createServer(client): Promise<Server> {
      const server = createMcpServer(await sessions.partsOf(client));
      server.onerror = onError;
      announceChanges(runtime, server);
      return server;
    },
  });
  const answering = new Set<Promise<void>>();
  let isStopping = false;

  const http = createServer(
    {
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1000, headersTimeoutMs),
    },
    (incoming, outgoing) => {
      handle(incoming, outgoing).catch((error: Error) => {
        onError(error);
        if (outgoing.headersSent) outgoing.destroy();
        else refuse(outgoing, { status: 400, message: "the request could not be read" });
      });
    },
  );
  http.maxConnections = maxConnections;
  http.listen({ host, port: options.port ?? 0 });
  await once(http, "listening");
  const { port } = http.address() as AddressInfo;
  const addresses = allowedAddresses(port, options.allowedHosts ?? []);

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const path = incoming.url?.split("?", 1)[0];
    const wrongAddress = checkAddresses(incoming, addresses);
    if (wrongAddress !== undefined) return refuse(outgoing, wrongAddress);
    if (path === "/health") return tellHealth(outgoing, isStopping);
    if (path !== "/mcp")
      return refuse(outgoing, { status: 404, message: "there is nothing here but /mcp and /health" });
    const who = authenticate(incoming, options.tokens);
    if (!("client" in who)) return refuse(outgoing, who);
    if (isStopping) return refuse(outgoing, { status: 503, message: "the server is stopping" });
    const body = incoming.method === "POST" ? await readMessage(incoming) : undefined;
    if (body !== undefined && "status" in body) return refuse(outgoing, body);
    const answered = answer(incoming, outgoing, { client: who.client, body: body?.message });
    if (isToolCall(body?.message)) track(answered, answering);
    await answered;
  };

  /** The message in the body, or what is wrong with it. */
  const readMessage = async (incoming: IncomingMessage): Promise<{ message: unknown } | Refusal> => {
    if (!sdk.isJsonContentType(incoming.headers["content-type"])) {
      return { status: 415, message: "the content type has to be application/json" };
    }
    const text = await readBody(incoming, { maxBytes: maxBodyBytes });
    if (text === undefined) return { status: 413, message: `the body has more than ${maxBodyBytes} bytes` };
    try {
      return { message: JSON.parse(text) };
    } catch {
      return { status: 400, message: "the body is not JSON" };
    }
  };

  const answer = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { client, body }: { client: string; body: unknown },
  ): Promise<void> => {
    const leaving = new AbortController();
    outgoing.once("close", () => {
      if (!outgoing.writableFinished) leaving.abort(new Error("the client has gone"));
    });
    const request = toWebRequest(incoming, leaving.signal);
    const authInfo = { token: "", clientId: client, scopes: [] };
    const response = (await sdk.isLegacyRequest(request, body))
      ? await dated.handle(request, { client, body })
      : await current.fetch(request, { authInfo, parsedBody: body });
    await sendResponse(response, outgoing);
  };

  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}/mcp`,
    port,
    async close() {
      isStopping = true;
      stopAnnouncing();
      const closed = once(http, "close");
      http.close();
      await sessions.close(graceMs);
      // What was cancelled has a result too, which the client is waiting for.
      await Promise.race([Promise.allSettled(answering), wait(maxAnswerMs, undefined, { ref: false })]);
      await Promise.allSettled([current.close(), dated.close()]);
      http.closeAllConnections();
      await closed;
    },
  };
}

const defaultMaxBodyBytes = 4 * 1024 * 1024;
const defaultGraceMs = 5000;
const maxAnswerMs = 1000;
const maxConnections = 1000;

function isToolCall(message: unknown): boolean {
  return isPlainObject(message) && message.method === "tools/call";
}

function track(work: Promise<void>, all: Set<Promise<void>>): void {
  all.add(work);
  const forget = () => all.delete(work);
  work.then(forget, forget);
}

function tellHealth(outgoing: ServerResponse, isStopping: boolean): void {
  outgoing.writeHead(isStopping ? 503 : 200, {
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
  });
  outgoing.end(JSON.stringify({ status: isStopping ? "stopping" : "ok" }));
}

function refuse(outgoing: ServerResponse, { status, message, headers = {} }: Refusal): void {
  outgoing.writeHead(status, { "Content-Type": "application/json", Connection: "close", ...headers });
  const code = status === 400 ? parseError : serverError;
  outgoing.end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}

const parseError = -32_700;
const serverError = -32_000;
