export type { FormatName, RenderedTools } from "../../formats/formats.ts";
export type { CommonImageType } from "../../formats/result-content.ts";
export {
  type AssembledMessage,
  type CallAssembler,
  type CallInProgress,
  createCallAssembler,
  type PartialJson,
  parsePartialJson,
} from "../../formats/streams/call-assembler.ts";
export type { RepairedJson } from "../../formats/streams/repair-json.ts";
export type { ReadCall } from "../../formats/tool-format.ts";
export type {
  AiSdkOutput,
  AiSdkSchema,
  AiSdkTool,
  AiSdkToolMessage,
  AiSdkToolOutput,
  AiSdkToolSet,
} from "../../formats/vendors/ai-sdk-format.ts";
export type {
  AnthropicAnswer,
  AnthropicBlock,
  AnthropicTool,
  AnthropicToolResult,
} from "../../formats/vendors/anthropic-format.ts";
export type {
  GeminiAnswer,
  GeminiFunction,
  GeminiPart,
  GeminiTool,
} from "../../formats/vendors/gemini-format.ts";
export type { GeminiSchema } from "../../formats/vendors/gemini-schema.ts";
export type { McpToolResult } from "../../formats/vendors/mcp-format.ts";
export type {
  OpenAiImageMessage,
  OpenAiTool,
  OpenAiToolMessage,
} from "../../formats/vendors/openai-chat-format.ts";
export type { OpenAiCallOutput, OpenAiResponsesTool } from "../../formats/vendors/openai-responses-format.ts";
export {
  type ForeignAiSdkTool,
  type ForeignLangChainTool,
  type ForeignOpenAiAgentsTool,
  fromAiSdk,
  fromLangChain,
  fromOpenAiAgents,
  type OpenAiAgentsOptions,
} from "./adopt/adopted-tools.ts";
export type { ActiveToolsOptions, Interop, ToolsOptions } from "./create-interop.ts";
export { createEkoMessages, type EkoMessage, type EkoSender } from "./events/eko-messages.ts";
export type { EventTranslator } from "./events/event-translator.ts";
export { createFlytoEvents, type FlytoEvent, formatServerSentEvent } from "./events/flyto-events.ts";
export { createKodeEvents, type KodeBookmark, type KodeEnvelope } from "./events/kode-events.ts";
export {
  type EventLog,
  type NumberedLog,
  type SendOptions,
  type ServerSentOptions,
  sendServerSentEvents,
  serverSentEvents,
} from "./events/server-sent-events.ts";
export type { AnswerTo, AnyAnswer, HandleOptions } from "./handle-message.ts";
