export type { Agent } from "./agent/agent.ts";
export type { AgentBudget, AgentOptions, AgentState } from "./agent/agent-options.ts";
export type { AgentResult } from "./agent/agent-result.ts";
export { ModelError } from "./agent/models/model-error.ts";
export {
  type Script,
  type ScriptedCall,
  type ScriptedStep,
  scriptedModel,
} from "./agent/models/scripted-model.ts";
export type { SessionAgent, SessionAgentOptions } from "./agent/open-agent.ts";
export type { AgentRecord } from "./agent/sub-agents/agent-record.ts";
export type { ListedAgent } from "./agent/sub-agents/agent-roster.ts";
export type { SubAgentOptions } from "./agent/sub-agents/sub-agent-options.ts";
export type { AgentTemplate } from "./agent/sub-agents/templates/agent-template.ts";
export type { AnswerTo } from "./interop/answer-to.ts";
export type { ActiveToolsOptions, ToolsOptions } from "./interop/create-interop.ts";
export { createEkoMessages, type EkoMessage, type EkoSender } from "./interop/events/eko-messages.ts";
export type { EventTranslator } from "./interop/events/event-translator.ts";
export { createFlytoEvents, type FlytoEvent, formatServerSentEvent } from "./interop/events/flyto-events.ts";
export { createKodeEvents, type KodeEnvelope } from "./interop/events/kode-events.ts";
export { type ServerSentOptions, serverSentEvents } from "./interop/events/server-sent-events.ts";
export type { FormatName, RenderedTools } from "./interop/formats.ts";
export type { HandleOptions } from "./interop/handle-message.ts";
export {
  type AssembledMessage,
  type CallAssembler,
  type CallInProgress,
  createCallAssembler,
} from "./interop/streams/call-assembler.ts";
export { type PartialJson, parsePartialJson } from "./interop/streams/parse-partial-json.ts";
export type { AiSdkToolOutput, AiSdkToolSet } from "./interop/vendors/ai-sdk-format.ts";
export type { McpApproval } from "./mcp/client/approval/mcp-approvals.ts";
export type { McpLoader } from "./mcp/client/loader-source.ts";
export { readMcpServers } from "./mcp/client/server-file.ts";
export type { HttpServerOptions, McpServerOptions, StdioServerOptions } from "./mcp/client/server-options.ts";
export type { McpServerStatus } from "./mcp/client/server-source.ts";
export { openRuntime, type Runtime } from "./open-runtime.ts";
export type { CallOptions, Session, SessionOptions, UndoOptions } from "./open-session.ts";
export type { PresentedTool } from "./runtime/dialects/dialect-view.ts";
export type { AgentEvent, AssistantPart, TokenUsage } from "./runtime/events/agent-event.ts";
export type { CallStatus, Receipt } from "./runtime/events/receipt.ts";
export type { Channel, LoggedEvent, SessionEvent } from "./runtime/events/session-event.ts";
export type { CallRequest, CallResult } from "./runtime/pipeline/call.ts";
export type { CallError } from "./runtime/pipeline/call-outcome.ts";
export type {
  AfterCallHook,
  AfterDecision,
  BeforeCallHook,
  BeforeDecision,
  HookCall,
  Hooks,
} from "./runtime/pipeline/hooks/hooks.ts";
export type {
  ApprovalDecision,
  ApprovalHandler,
  ApprovalRequest,
} from "./runtime/policy/approvals/approvals.ts";
export type { Mode } from "./runtime/policy/decide.ts";
export type { Effects, Verdict } from "./runtime/policy/verdict.ts";
export type { Plugin, PluginApi } from "./runtime/registry/plugins/plugin.ts";
export type { SessionParent, SessionRecord } from "./runtime/store/store.ts";
export type { ChainReport } from "./runtime/store/verify-chain.ts";
export type { DeferralLimits } from "./runtime/tool-search/deferral.ts";
export type { ToolChoice } from "./runtime/tool-search/open-tools.ts";
export type { RuntimeOptions } from "./runtime-options.ts";
export * from "./tool/index.ts";
