import type { Runtime } from "../../../open-runtime.ts";
import { announceChanges, onChanges } from "../announce-changes.ts";
import { createMcpServer } from "../create-mcp-server.ts";
import { type ClientSessionsOptions, createClientSessions } from "./client-sessions.ts";
import { createLegacyConnections } from "./legacy-connections.ts";

/** Answers MCP requests of any number of clients, each by its own protocol version. */
export interface McpEndpoint {
  answer(request: Request, details: { client: string; body: unknown }): Promise<Response>;
  /** Waits up to `graceMs` for running calls, then cancels them; their requests are still answered. */
  finish(graceMs: number): Promise<void>;
  /** Closes all connections. */
  close(): Promise<void>;
}

export interface EndpointOptions extends ClientSessionsOptions {
  readonly maxLegacyConnections?: number;
  readonly onError: (error: Error) => void;
}

export function createMcpEndpoint(runtime: Runtime, options: EndpointOptions): McpEndpoint {
  const { sdk, maxLegacyConnections: maxConnections, onError } = options;
  const sessions = createClientSessions(runtime, options);
  const current = sdk.createMcpHandler(
    async ({ authInfo }) => createMcpServer(await sessions.partsOf(authInfo!.clientId)),
    { legacy: "reject", onerror: onError },
  );
  const stopAnnouncing = onChanges(runtime, {
    tools: () => current.notify.toolsChanged(),
    catalogue() {
      current.notify.resourcesChanged();
      current.notify.promptsChanged();
    },
  });
  const legacy = createLegacyConnections({
    sdk,
    maxConnections,
    async createServer(client) {
      const server = createMcpServer(await sessions.partsOf(client));
      server.onerror = onError;
      announceChanges(runtime, server);
      return server;
    },
  });
  return {
    async answer(request, { client, body }) {
      if (await sdk.isLegacyRequest(request, body)) return legacy.handle(request, { client, body });
      // The token itself is not passed on.
      const authInfo = { token: "", clientId: client, scopes: [] };
      return current.fetch(request, { authInfo, parsedBody: body });
    },
    finish(graceMs) {
      stopAnnouncing();
      return sessions.close(graceMs);
    },
    async close() {
      await Promise.allSettled([current.close(), legacy.close()]);
    },
  };
}
