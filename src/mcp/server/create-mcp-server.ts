import type { Server } from "@modelcontextprotocol/server";
import { callTool } from "./call/call-tool.ts";
import type { McpServerParts } from "./mcp-server-parts.ts";

/** The MCP server of one connection, or of one request if the protocol is stateless. The session does the work. */
export function createMcpServer(parts: McpServerParts): Server {
  const { sdk, servedTools, resources, calls, version, instructions } = parts;
  const server = new sdk.Server(
    { name: "toolwright", title: "Toolwright", version },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, completions: {}, logging: {} },
      instructions,
      cacheHints,
      requestState: { verify: (ticket) => calls.find(ticket) ?? refuseTicket() },
    },
  );
  server.setRequestHandler("tools/list", ({ params }) => servedTools.list(params?.cursor));
  server.setRequestHandler("tools/call", (request, context) => callTool(parts, request, { server, context }));
  server.setRequestHandler("resources/list", ({ params }) => resources.list(params?.cursor));
  server.setRequestHandler("resources/templates/list", () => resources.templates());
  server.setRequestHandler("resources/read", ({ params }) => resources.read(params.uri));
  server.setRequestHandler("completion/complete", ({ params }) => resources.complete(params.argument));
  return server;
}

// Long enough, because clients are notified of changed tools, and a receipt never changes.
const cacheHints = {
  "tools/list": { ttlMs: 60_000, cacheScope: "private" },
  "resources/read": { ttlMs: 3_600_000, cacheScope: "private" },
  "resources/templates/list": { ttlMs: 3_600_000, cacheScope: "public" },
  "server/discover": { ttlMs: 60_000, cacheScope: "private" },
} as const;

function refuseTicket(): never {
  throw new Error("no call is waiting for these answers");
}
