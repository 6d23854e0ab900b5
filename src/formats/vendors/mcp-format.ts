import type { ContentBlock, Tool as McpTool } from "@modelcontextprotocol/server";
import { asFields } from "../fields.ts";
import { readArguments } from "../read-arguments.ts";
import { hasFailed } from "../result-content.ts";
import type { CallAnswer, ToolFormat } from "../tool-format.ts";
import { toStructuredContent } from "./structured-content.ts";
import { toMcpBlock } from "./to-mcp-block.ts";
import { toMcpTool } from "./to-mcp-tool.ts";

/** The result of `tools/call`. */
export interface McpToolResult {
  readonly content: ContentBlock[];
  readonly structuredContent?: { readonly [name: string]: unknown };
  readonly isError?: true;
}

/** The Model Context Protocol: a message is a `tools/call` request. */
export const mcpFormat: ToolFormat<McpTool[], McpToolResult> = {
  limitsNames: false,
  renderTools: (tools) => tools.map(toMcpTool),
  readCalls(message) {
    const fields = asFields(message);
    const params = fields?.method === "tools/call" ? asFields(fields.params) : undefined;
    if (typeof params?.name !== "string") return undefined;
    return [{ name: params.name, ...readArguments(params.arguments) }];
  },
  renderAnswers: (answers) => answers.map(toMcpResult),
};

/** A call's result in MCP's form; it always has some content. */
function toMcpResult(answer: CallAnswer): McpToolResult {
  const { data, text, content } = answer.result;
  const isStructured = data !== undefined && !hasFailed(answer);
  return {
    content: (content.length > 0 ? content : [{ type: "text" as const, text }]).map(toMcpBlock),
    ...(isStructured && { structuredContent: toStructuredContent(data, answer.outputSchema()) }),
    ...(hasFailed(answer) && { isError: true }),
  };
}
