export { asFields, asFieldsList, type Fields } from "./fields.ts";
export { checkFormatName, type FormatName, formats, type RenderedTools } from "./formats.ts";
export { cutOffProblem, readArguments } from "./read-arguments.ts";
export {
  type CommonImageType,
  commonImageTypes,
  contentOf,
  hasFailed,
  toAiSdkContent,
  toAiSdkFile,
} from "./result-content.ts";
export { toCommonSchema } from "./schemas/common-schema.ts";
export { toStrictSchema } from "./schemas/strict-schema.ts";
export {
  type AssembledMessage,
  type CallAssembler,
  type CallInProgress,
  createCallAssembler,
  type PartialJson,
  parsePartialJson,
} from "./streams/call-assembler.ts";
export type { RepairedJson } from "./streams/repair-json.ts";
export type {
  AdaptedSchema,
  AdaptedTool,
  CallAnswer,
  ReadCall,
  RunCall,
  ToolFormat,
} from "./tool-format.ts";
export type {
  AiSdkOutput,
  AiSdkSchema,
  AiSdkTool,
  AiSdkToolMessage,
  AiSdkToolOutput,
  AiSdkToolSet,
} from "./vendors/ai-sdk-format.ts";
export type {
  AnthropicAnswer,
  AnthropicBlock,
  AnthropicTool,
  AnthropicToolResult,
} from "./vendors/anthropic-format.ts";
export type { GeminiAnswer, GeminiFunction, GeminiPart, GeminiTool } from "./vendors/gemini-format.ts";
export type { GeminiSchema } from "./vendors/gemini-schema.ts";
export {
  type McpToolResult,
  moveReferences,
  toMcpBlock,
  toMcpTool,
  toObjectSchema,
  toStructuredContent,
  withStandardFormats,
} from "./vendors/mcp-format.ts";
export type { OpenAiImageMessage, OpenAiTool, OpenAiToolMessage } from "./vendors/openai-chat-format.ts";
export type { OpenAiCallOutput, OpenAiResponsesTool } from "./vendors/openai-responses-format.ts";
export { createVendorNames } from "./vendors/vendor-names.ts";
