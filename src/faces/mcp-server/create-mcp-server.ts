import type {
  CallToolRequest,
  CallToolResult,
  CompleteRequest,
  InputRequiredResult,
  Server,
} from "@modelcontextprotocol/server";
import type { CallResult } from "../../kernel/call/index.ts";
import { defined } from "../../shared/options/defined.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import { advanceCall, type CallingClient } from "./call/advance-call.ts";
import { protocolOf } from "./call/caller-of.ts";
import { toMcpResult } from "./call/to-mcp-result.ts";
import { readForeignAddress } from "./gateway/gateway.ts";
import { getPrompt, readResource } from "./gateway/pass-on.ts";
import type { McpServerParts } from "./mcp-server-parts.ts";

/** The MCP server of one connection, or of one request if the protocol is stateless. The session does the work. */
export function createMcpServer(parts: McpServerParts): Server {
  const { sdk, servedTools, resources, gateway, calls, version, instructions } = parts;
  const server = new sdk.Server(
    { name: "toolwright", title: "Toolwright", version },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: gateway ? { listChanged: true } : {},
        ...defined({ prompts: gateway && { listChanged: true } }),
        completions: {},
        logging: {},
      },
      instructions,
      cacheHints: gateway ? { ...cacheHints, "resources/templates/list": changeable } : cacheHints,
      requestState: { verify: (ticket) => calls.find(ticket) ?? refuseTicket() },
    },
  );
  server.setRequestHandler("tools/list", ({ params }) => servedTools.list(params?.cursor));
  server.setRequestHandler("tools/call", (request, context) => callTool(parts, request, { server, context }));
  server.setRequestHandler("resources/list", ({ params }) => resources.list(params?.cursor));
  server.setRequestHandler("resources/templates/list", ({ params }) => resources.templates(params?.cursor));
  server.setRequestHandler("resources/read", (request, context) =>
    readResource(parts, request, { server, context }),
  );
  server.setRequestHandler("completion/complete", ({ params }) =>
    isForeign(params.ref) && gateway ? gateway.complete(params) : resources.complete(params),
  );
  if (gateway !== undefined) {
    server.setRequestHandler("prompts/list", ({ params }) => gateway.prompts(params?.cursor));
    server.setRequestHandler("prompts/get", (request, context) =>
      getPrompt(parts, request, { server, context }),
    );
  }
  return server;
}

/** Whether the reference is to an entry of another server. All prompts are. */
function isForeign(ref: CompleteRequest["params"]["ref"]): boolean {
  return ref.type === "ref/prompt" || readForeignAddress(ref.uri) !== undefined;
}

// Clients are notified of changes.
const changeable = { ttlMs: 60_000, cacheScope: "private" } as const;

// Long enough, because clients are notified of changed tools, and a receipt never changes.
const cacheHints = {
  "tools/list": changeable,
  "resources/read": { ttlMs: 3_600_000, cacheScope: "private" },
  "resources/templates/list": { ttlMs: 3_600_000, cacheScope: "public" },
  "server/discover": changeable,
} as const;

function refuseTicket(): never {
  throw new Error("no call is waiting for these answers");
}

/** Answers `tools/call` with the call's result, or with the questions that a person has to answer first. */
async function callTool(
  parts: McpServerParts,
  { params: { name, arguments: input = {}, _meta: meta } }: CallToolRequest,
  connection: CallingClient,
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const step = await advanceCall(parts, { name, input, meta }, connection);
    if (step.kind === "asks") return step.questions;
    return render(parts, connection.server, { name, result: step.result });
  } catch (error) {
    const text = `The call failed: ${describeThrown(error)}`;
    return { content: [{ type: "text", text }], isError: true };
  }
}

function render(
  { servedTools, gateway }: McpServerParts,
  server: Server,
  { name, result }: { name: string; result: CallResult },
): CallToolResult {
  const promise = servedTools.promiseOf(name);
  const addressOf = gateway?.addressFor(result.receipt.tool);
  const rendering = { promise, protocol: protocolOf(server), addressOf };
  return server.projectCallToolResult(toMcpResult(result, rendering), promise?.schema);
}
