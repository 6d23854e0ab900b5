export {
  KodeAgent as Agent,
  type KodeDependencies as AgentDependencies,
  type KodeReply as CompleteResult,
} from "./kode-agent.ts";
export type {
  KodeEvent,
  KodeListener,
  KodeQuery,
  KodeQuery as SubscribeOptions,
} from "./kode-events-of.ts";
export { kodeHooks } from "./kode-hooks.ts";
export type { KodeBlock as ContentBlock, KodeMessage as Message } from "./kode-messages.ts";
export {
  AgentTemplateRegistry,
  BashKill,
  BashLogs,
  BashRun,
  builtin,
  FsEdit,
  FsGlob,
  FsGrep,
  FsMultiEdit,
  FsRead,
  FsWrite,
  type KodeToolFactory as ToolFactory,
  TodoRead,
  TodoWrite,
  ToolRegistry,
} from "./kode-registries.ts";
export {
  extractTools,
  type KodeMethod,
  type KodeMethodDecorator,
  type KodeMethodTool,
  type KodeToolDefinition as ToolDefinition,
  kodeTool as tool,
  kodeToolList as tools,
  ToolKit,
  toolMethod,
} from "./kode-tool.ts";
export {
  defineKodeTool as defineTool,
  defineKodeTools as defineTools,
  type KodeToolOptions,
  kodeTools,
} from "./kode-tools.ts";
export type {
  KodeAgentConfig as AgentConfig,
  KodeAttributes as ToolAttributes,
  KodeBuiltin,
  KodeFilePool as FilePool,
  KodeFreshness,
  KodeGlobOptions,
  KodeHookCall as ToolCall,
  KodeHookContext,
  KodeHookDecision as HookDecision,
  KodeHooks as Hooks,
  KodeMetadata as AgentMetadata,
  KodeModel,
  KodeOutcomeChange,
  KodeOutcomeChange as PostHookResult,
  KodePermission as PermissionConfig,
  KodeSandbox as Sandbox,
  KodeSimpleTool as ToolDef,
  KodeSimpleTool as SimpleToolDef,
  KodeTemplate as AgentTemplateDefinition,
  KodeToolContext as EnhancedToolContext,
  KodeToolContext as ToolContext,
  KodeToolDescriptor as ToolDescriptor,
  KodeToolInstance as ToolInstance,
  KodeToolOutcome as ToolOutcome,
  KodeUntyped,
} from "./kode-types.ts";
