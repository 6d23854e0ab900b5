import { openFree, type Session } from "../../../kernel/runtime/index.ts";
import type { Runtime } from "../../../open-runtime.ts";
import { defined } from "../../../shared/options/defined.ts";
import { announceChanges, onChanges } from "../announce-changes.ts";
import { createMcpServer } from "../create-mcp-server.ts";
import type { ServerSdk } from "../load-server-sdk.ts";
import { createMcpServerParts, type McpServerParts } from "../mcp-server-parts.ts";
import { createLegacyConnections } from "./legacy-connections.ts";

export interface EndpointOptions {
  readonly sdk: ServerSdk;
  readonly version: string;
  /** Default: the dialect of the client's session when it was last open, and the runtime's for a new client. */
  readonly dialect?: string;
  /** The only tools that clients may use. Default: all of them. */
  readonly tools?: readonly string[];
  readonly toolsPerPage?: number;
  /** Called with the session of each client when it makes its first request. */
  readonly onClient?: (client: string, session: Session) => void;
  /** Limit of open legacy connections. */
  readonly maxLegacyConnections?: number;
  readonly onError: (error: Error) => void;
}

export type McpEndpoint = ReturnType<typeof createMcpEndpoint>;

/** Answers MCP requests of any number of clients, each by its own protocol version. */
export function createMcpEndpoint(runtime: Runtime, options: EndpointOptions) {
  const { sdk, maxLegacyConnections, onError } = options;
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
  const createServer = async (client: string) => {
    const server = createMcpServer(await sessions.partsOf(client));
    server.onerror = onError;
    announceChanges(runtime, server);
    return server;
  };
  const legacy = createLegacyConnections(sdk, createServer, maxLegacyConnections);
  return {
    async answer(request: Request, { client, body }: { client: string; body: unknown }): Promise<Response> {
      if (await sdk.isLegacyRequest(request, body)) return legacy.handle(request, { client, body });
      // The token itself is not passed on.
      const authInfo = { token: "", clientId: client, scopes: [] };
      return current.fetch(request, { authInfo, parsedBody: body });
    },
    /** Waits up to `graceMs` for running calls, then cancels them; their requests are still answered. */
    finish(graceMs: number): Promise<void> {
      stopAnnouncing();
      return sessions.close(graceMs);
    },
    async close(): Promise<void> {
      await Promise.allSettled([current.close(), legacy.close()]);
    },
  };
}

/** The session of each client, opened on its first request and kept until the server stops. */
function createClientSessions(
  runtime: Runtime,
  { sdk, version, dialect, tools, toolsPerPage: pageSize, onClient }: EndpointOptions,
) {
  const opened = new Map<string, Promise<McpServerParts>>();

  const open = async (client: string): Promise<McpServerParts> => {
    const session = await openFree(runtime, { id: `mcp-${client}`, ...defined({ dialect, tools }) });
    onClient?.(client, session);
    const way = { transport: "http", token: client } as const;
    return createMcpServerParts(runtime, { sdk, session, version, way, pageSize });
  };

  return {
    partsOf(client: string): Promise<McpServerParts> {
      const known = opened.get(client) ?? open(client);
      opened.set(client, known);
      // Not cached, because the next request may succeed.
      known.catch(() => opened.delete(client));
      return known;
    },
    /** Waits up to `graceMs` for running calls, cancels the rest, and closes the sessions. */
    async close(graceMs: number): Promise<void> {
      const all = (await Promise.allSettled(opened.values())).flatMap((each) =>
        each.status === "fulfilled" ? each.value : [],
      );
      await Promise.all(all.map(({ calls }) => calls.finish(graceMs)));
      await Promise.all(all.map(({ session }) => session.close()));
    },
  };
}
