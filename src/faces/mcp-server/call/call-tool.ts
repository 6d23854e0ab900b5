import type {
  CallToolRequest,
  CallToolResult,
  InputRequiredResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { CallResult } from "../../../kernel/call/call.ts";
import type { McpServerParts } from "../mcp-server-parts.ts";
import { advanceCall } from "./advance-call.ts";
import { protocolOf } from "./caller-of.ts";
import { toMcpResult } from "./to-mcp-result.ts";

/** Answers `tools/call` with the call's result, or with the questions that a person has to answer first. */
export async function callTool(
  parts: McpServerParts,
  { params: { name, arguments: input = {}, _meta: meta } }: CallToolRequest,
  connection: { server: Server; context: ServerContext },
): Promise<CallToolResult | InputRequiredResult> {
  try {
    const step = await advanceCall(parts, { name, input, meta }, connection);
    if (step.kind === "asks") return step.questions;
    return render(parts, connection.server, { name, result: step.result });
  } catch (error) {
    return failure(`The call failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function failure(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}

function render(
  { servedTools, gateway }: McpServerParts,
  server: Server,
  { name, result }: { name: string; result: CallResult },
): CallToolResult {
  const promise = servedTools.promiseOf(name);
  const addressOf = gateway?.addressFor(result.receipt.tool);
  const rendering = { promise, protocol: protocolOf(server), ...(addressOf && { addressOf }) };
  return server.projectCallToolResult(toMcpResult(result, rendering), promise?.schema);
}
