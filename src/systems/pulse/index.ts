export { Engine, type EngineOptions, type EngineRunOptions } from "./engine.ts";
export { pulseHooks, type RunHookLists } from "./pulse-hooks.ts";
export { type PulseSharing, pulsePlugin, pulseTools } from "./pulse-plugin.ts";
export type {
  MayWatch,
  PulseClarification as ClarificationRequest,
  PulseContext as Context,
  PulseHooks as EngineHooks,
  PulseModel,
  PulsePlugin as EnginePlugin,
  PulsePluginContext as EnginePluginContext,
  PulseRequest as BeforeRunInput,
  PulseRequest as BeforeLLMCallInput,
  PulseRequestChange as BeforeRunResult,
  PulseRequestChange as BeforeLLMCallResult,
  PulseRunHooks,
  PulseSystemPrompt as SystemPromptOption,
  PulseTool as Tool,
  PulseToolContext as ToolExecutionContext,
  PulseToolHooks as ToolHooks,
} from "./pulse-types.ts";
