export {
  KodeAgent as Agent,
  type KodeDependencies as AgentDependencies,
  type KodeReply as CompleteResult,
} from "./kode-agent.ts";
export {
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
  TodoRead,
  TodoWrite,
} from "./kode-builtins.ts";
export type { KodeEvent, KodeListener, KodeQuery } from "./kode-events-of.ts";
export {
  AgentTemplateRegistry,
  type KodeToolFactory as ToolFactory,
  ToolRegistry,
} from "./kode-registries.ts";
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
  KodeHookCall as ToolCall,
  KodeHookDecision as HookDecision,
  KodeHooks as Hooks,
  KodeMetadata as AgentMetadata,
  KodeModel,
  KodeOutcomeChange,
  KodePermission as PermissionConfig,
  KodeSandbox as Sandbox,
  KodeSimpleTool as ToolDef,
  KodeTemplate as AgentTemplateDefinition,
  KodeToolContext as EnhancedToolContext,
  KodeToolContext as ToolContext,
  KodeToolDescriptor as ToolDescriptor,
  KodeToolInstance as ToolInstance,
  KodeToolOutcome as ToolOutcome,
  KodeUntyped,
} from "./kode-types.ts";
