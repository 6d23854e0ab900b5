export {
  type AiSdkOutput,
  type AiSdkSchema,
  type AiSdkTool,
  type AiSdkToolMessage,
  type AiSdkToolOutput,
  type AiSdkToolSet,
  type AnthropicAnswer,
  type AnthropicBlock,
  type AnthropicTool,
  type AnthropicToolResult,
  type AssembledMessage,
  type CallAssembler,
  type CallInProgress,
  type CommonImageType,
  createCallAssembler,
  type FormatName,
  type GeminiAnswer,
  type GeminiFunction,
  type GeminiPart,
  type GeminiSchema,
  type GeminiTool,
  type McpToolResult,
  type OpenAiCallOutput,
  type OpenAiImageMessage,
  type OpenAiResponsesTool,
  type OpenAiTool,
  type OpenAiToolMessage,
  type PartialJson,
  parsePartialJson,
  type ReadCall,
  type RenderedTools,
  type RepairedJson,
} from "../../formats/index.ts";
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
