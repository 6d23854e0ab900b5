import type { Tool as McpTool } from "@modelcontextprotocol/server";
import { isPlainObject } from "../shared/json.ts";
import { asFields } from "./fields.ts";
import { readArguments } from "./read-arguments.ts";
import { contentOf, hasFailed } from "./result-content.ts";
import { toMcpTool } from "./to-mcp-tool.ts";
import type { AnsweredCall, ToolFormat } from "./tool-format.ts";

/** What `tools/call` answers. */
export interface McpToolResult {
  readonly content: (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image"; readonly data: string; readonly mimeType: string }
  )[];
  readonly structuredContent?: { readonly [name: string]: unknown };
  readonly isError?: true;
}

/** The Model Context Protocol: a message is a `tools/call` request. */
export const mcp: ToolFormat<McpTool[], McpToolResult> = {
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

/** A call's result as an MCP client takes it. */
function toMcpResult(answer: Pick<AnsweredCall, "result">): McpToolResult {
  const { data } = answer.result;
  const { text, images } = contentOf(answer, everyType);
  return {
    content: [
      ...(text === "" && images.length > 0 ? [] : [{ type: "text" as const, text }]),
      ...images.map(({ mimeType, data: bytes }) => ({ type: "image" as const, data: bytes, mimeType })),
    ],
    ...(isPlainObject(data) && { structuredContent: data }),
    ...(hasFailed(answer) && { isError: true }),
  };
}

/** What a client can show is the client's to say. */
const everyType = { has: () => true };
