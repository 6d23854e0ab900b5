export {
  Eko,
  Eko as default,
  EkoAgent as Agent,
  type EkoAgentParams as AgentParams,
  type EkoConfig,
} from "./eko-tasks.ts";
export { type EkoAgentIdentity, type EkoToolOptions, ekoTools } from "./eko-tools.ts";
export type {
  EkoAgentContext as AgentContext,
  EkoCallback as StreamCallback,
  EkoCallbackMessage as StreamCallbackMessage,
  EkoHuman,
  EkoInputSchema as InputSchema,
  EkoModel,
  EkoResult,
  EkoTool as Tool,
  EkoToolCall as LanguageModelV1ToolCallPart,
  EkoToolCall as LanguageModelV2ToolCallPart,
  EkoToolResult as ToolResult,
} from "./eko-types.ts";
