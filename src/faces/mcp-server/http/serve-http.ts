import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Runtime } from "../../../open-runtime.ts";
import { answerRequests } from "../../../shared/web/answer-requests.ts";
import { type ConnectionLimits, limitConnections } from "../../../shared/web/limit-connections.ts";
import { loadServerSdk } from "../load-server-sdk.ts";
import type { ClientTokens } from "./client-tokens.ts";
import { formatMetrics } from "./format-metrics.ts";
import { allowedAddresses, hostNameOf } from "./http-gate.ts";
import { createHttpHandler, refuse } from "./http-handler.ts";
import { createMcpEndpoint, type EndpointOptions } from "./mcp-endpoint.ts";

export interface HttpOptions extends Omit<EndpointOptions, "sdk" | "onError"> {
  readonly tokens: Pick<ClientTokens, "identify">;
  readonly host?: string;
  /** 0 picks a free port. */
  readonly port?: number;
  /** Further Host values to accept besides this machine's, with the port as clients write it. */
  readonly allowedHosts?: readonly string[];
  readonly maxBodyBytes?: number;
  /** How long a client may take to send its headers, and its whole request. */
  readonly headersTimeoutMs?: number;
  readonly requestTimeoutMs?: number;
  /** How long running calls may take once the server stops. */
  readonly graceMs?: number;
  readonly onError?: (error: Error) => void;
}

/** Serves any number of clients at `/mcp`, each token with its own session. */
export async function serveHttp(runtime: Runtime, options: HttpOptions) {
  const { host = "127.0.0.1", graceMs = defaultGraceMs, onError = () => {} } = options;
  const sdk = await loadServerSdk();
  // The event loop is measured from now on.
  runtime.metrics();
  const { http, connections } = await listen(host, options);
  const { port } = http.address() as AddressInfo;
  const endpoint = createMcpEndpoint(runtime, { ...options, sdk, onError });
  const handler = createHttpHandler({
    sdk,
    endpoint,
    connections,
    tokens: options.tokens,
    addresses: allowedAddresses({ host, port }, options.allowedHosts ?? []),
    maxBodyBytes: options.maxBodyBytes ?? defaultMaxBodyBytes,
    health: oncePerSecond(runtime.health),
    metrics: () => formatMetrics(runtime.metrics()),
  });
  answerRequests(http, handler.handle, {
    onError,
    refuse: (outgoing) => refuse(outgoing, { status: 400, message: "the request could not be read" }),
  });
  return {
    url: `http://${hostNameOf(host)}:${port}/mcp`,
    port,
    /** Takes no more requests, finishes or cancels running calls, and answers them. */
    async close(): Promise<void> {
      handler.stop();
      const closed = once(http, "close");
      http.close();
      await endpoint.finish(graceMs);
      await handler.answered();
      await endpoint.close();
      http.closeAllConnections();
      await closed;
    },
  };
}

/** Reads at most once in a second: every program on the network may ask, and asking often must not cost more. */
function oncePerSecond<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let last: { readonly at: number; readonly result: Promise<Result> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.at > 1000) last = { at: now, result: read() };
    return last.result;
  };
}

const defaultMaxBodyBytes = 4 * 1024 * 1024;
const defaultGraceMs = 5000;

async function listen(
  host: string,
  { port = 0, headersTimeoutMs = 10_000, requestTimeoutMs = 60_000 }: HttpOptions,
): Promise<{ http: Server; connections: ConnectionLimits }> {
  const http = createServer({
    headersTimeout: headersTimeoutMs,
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(1000, headersTimeoutMs),
  });
  const connections = limitConnections(http, { maxStrangers, maxPerPeer });
  http.listen({ host, port });
  await once(http, "listening");
  return { http, connections };
}

// More than can be opened while a client with a token sends its first request.
const maxStrangers = 500;
const maxPerPeer = 250;
