export type {
  AgentEvent,
  AssistantCall,
  AssistantPart,
  AssistantText,
  CutMessage,
  MaskedCall,
  ModelDelta,
  ProviderOptions,
  TokenUsage,
} from "../../kernel/events/index.ts";
export type { Agent, CompactOptions, RunAgentOptions } from "./agent.ts";
export type { AgentBudget, AgentOptions, AgentState } from "./agent-options.ts";
export type { AgentResult } from "./agent-run.ts";
export { ModelError, type ProviderInstall } from "./models/model-error.ts";
export { type Script, type ScriptedCall, type ScriptedStep, scriptedModel } from "./models/scripted-model.ts";
export type { SessionAgent, SessionAgentOptions } from "./open-agent.ts";
export type { AgentRecord } from "./sub-agents/agent-record.ts";
export type { ListedAgent } from "./sub-agents/agent-roster.ts";
export type { ChildProgress } from "./sub-agents/follow-child.ts";
export type { SubAgentOptions } from "./sub-agents/sub-agent-options.ts";
export type { SubAgentList } from "./sub-agents/sub-agents.ts";
export type { AgentTemplate, TemplateDefinitions } from "./sub-agents/templates/agent-template.ts";
export type { MessagePart } from "./user-message.ts";
