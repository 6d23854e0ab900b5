import type { Tool as McpTool } from "@modelcontextprotocol/server";
import type { PresentedTool } from "../kernel/dialects/index.ts";
import { orMeant } from "../shared/text/did-you-mean.ts";
import { nearestNames } from "../shared/text/nearest-names.ts";
import type { ToolFormat } from "./tool-format.ts";
import { type AiSdkToolSet, aiSdkFormat } from "./vendors/ai-sdk-format.ts";
import { type AnthropicTool, anthropicFormat } from "./vendors/anthropic-format.ts";
import { type GeminiTool, geminiFormat } from "./vendors/gemini-format.ts";
import { mcpFormat } from "./vendors/mcp-format.ts";
import { type OpenAiTool, openaiChatFormat } from "./vendors/openai-chat-format.ts";
import { type OpenAiResponsesTool, openaiResponsesFormat } from "./vendors/openai-responses-format.ts";

/** The result of `session.tools` in each format: the `tools` of the vendor's API. */
export interface RenderedTools {
  readonly openai: OpenAiTool[];
  readonly "openai-responses": OpenAiResponsesTool[];
  readonly anthropic: AnthropicTool[];
  readonly "ai-sdk": AiSdkToolSet;
  readonly gemini: GeminiTool[];
  readonly mcp: McpTool[];
  readonly json: PresentedTool[];
}

export type FormatName = keyof RenderedTools;

/** Tools with plain JSON Schema. There are no messages in this format. */
const jsonFormat: ToolFormat<PresentedTool[], never> = {
  limitsNames: false,
  renderTools: (tools) => [...tools],
  readCalls: () => [],
  renderAnswers: () => [],
};

/** All formats by name. A message is read by the first format that finds calls in it. */
export const formats: { readonly [Name in FormatName]: ToolFormat<RenderedTools[Name]> } = {
  openai: openaiChatFormat,
  "openai-responses": openaiResponsesFormat,
  anthropic: anthropicFormat,
  "ai-sdk": aiSdkFormat,
  gemini: geminiFormat,
  mcp: mcpFormat,
  json: jsonFormat,
};

const formatNames = Object.keys(formats) as readonly FormatName[];

export function checkFormatName(name: unknown): asserts name is FormatName {
  if (typeof name === "string" && Object.hasOwn(formats, name)) return;
  const nearest = typeof name === "string" ? nearestNames(name, formatNames) : [];
  throw new TypeError(
    `the format must be one of ${formatNames.join(", ")}; received ${JSON.stringify(name)}${orMeant(nearest)}`,
  );
}
