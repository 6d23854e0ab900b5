import type { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { randomUUID } from "../../../shared/crypto.ts";
import { isPlainObject } from "../../../shared/json.ts";
import { errorAnswer } from "../../../shared/json-rpc/error-answer.ts";
import type { ServerSdk } from "../load-server-sdk.ts";

interface Connection {
  readonly client: string;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  lastUsedMs: number;
  /** It has asked for something since its handshake. */
  isUsed: boolean;
  openStreams: number;
}

/**
 * Connections by protocols up to 2025-11-25, which begin with a handshake and stay open. Each has its own server: two
 * clients that shared one could get each other's answers.
 */
export function createLegacyConnections(
  sdk: ServerSdk,
  createServer: (client: string) => Promise<Server>,
  maxConnections = defaultMaxConnections,
) {
  const connections = new Map<string, Connection>();

  const connect = async (client: string): Promise<Connection> => {
    const server = await createServer(client);
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        connections.set(id, connection);
      },
    });
    const unused = { lastUsedMs: Date.now(), isUsed: false, openStreams: 0 };
    const connection: Connection = { client, server, transport, ...unused };
    await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      if (transport.sessionId !== undefined) connections.delete(transport.sessionId);
      onclose?.();
    };
    return connection;
  };

  return {
    async handle(request: Request, { client, body }: { client: string; body: unknown }): Promise<Response> {
      const id = request.headers.get("mcp-session-id");
      const known = id === null ? undefined : connections.get(id);
      if (id !== null && known?.client !== client)
        return refuse(404, "no such session; send initialize again");
      if (known === undefined && !sdk.isInitializeRequest(body)) {
        return refuse(400, "the first request must be initialize");
      }
      if (known === undefined && !makeSpace(connections, maxConnections)) {
        return refuse(503, "too many open connections; try again later");
      }
      const connection = known ?? (await connect(client));
      connection.lastUsedMs = Date.now();
      connection.isUsed ||= known !== undefined && isPlainObject(body) && "id" in body;
      const authInfo = { token: "", clientId: client, scopes: [] };
      const response = await connection.transport.handleRequest(request, { parsedBody: body, authInfo });
      // After a refused handshake, nothing else would close its server.
      if (known === undefined && connection.transport.sessionId === undefined)
        await connection.server.close();
      return countStream(connection, response);
    },
    async close(): Promise<void> {
      await Promise.allSettled([...connections.values()].map(({ server }) => server.close()));
    },
  };
}

// Each listening client holds one, and a client that reconnects may leave another behind.
const defaultMaxConnections = 500;

/**
 * Closes the connection that has been idle longest; its client can connect again. Those that were never used come
 * first: many handshakes must not end the connection of a client that works. False if no connection is idle.
 */
function makeSpace(connections: ReadonlyMap<string, Connection>, maxConnections: number): boolean {
  if (connections.size < maxConnections) return true;
  const idle = [...connections.values()].filter(({ openStreams }) => openStreams === 0);
  const oldest = idle.sort(
    (one, other) => Number(one.isUsed) - Number(other.isUsed) || one.lastUsedMs - other.lastUsedMs,
  )[0];
  void oldest?.server.close();
  return oldest !== undefined;
}

function countStream(connection: Connection, response: Response): Response {
  if (response.body === null) return response;
  connection.openStreams++;
  const end = () => {
    connection.openStreams--;
  };
  return new Response(response.body.pipeThrough(new TransformStream({ flush: end, cancel: end })), response);
}

function refuse(status: number, message: string): Response {
  return Response.json(errorAnswer(message, { id: null }), { status });
}
