export { Engine, type EngineOptions, type EngineRunOptions } from "./engine.ts";
export { pulseHooks } from "./pulse-hooks.ts";
export { pulsePlugin } from "./pulse-plugin.ts";
export { pulseTools } from "./pulse-tools.ts";
export type {
  MayWatch,
  PulseClarification as ClarificationRequest,
  PulseHooks as EngineHooks,
  PulseModel,
  PulsePlugin as EnginePlugin,
  PulsePluginContext as EnginePluginContext,
  PulseTool as Tool,
  PulseToolContext as ToolExecutionContext,
} from "./pulse-types.ts";
