export {
  type FlytoCanUseTool as CanUseTool,
  FlytoEngine as Engine,
  type FlytoEngineOptions as EngineOptions,
  type FlytoPermissionHandler as PermissionHandler,
  type FlytoToolOutcome as ToolOutcome,
  type FlytoToolUse as ToolUse,
} from "./flyto-engine.ts";
export type { FlytoListedTool as ListedTool, FlytoRegistry as Registry } from "./flyto-registry.ts";
export { flytoTools, WorkdirFromContext } from "./flyto-tools.ts";
export type {
  AnyFlytoTool as AnyTool,
  FlytoCapability as ToolCapability,
  FlytoContext as Context,
  FlytoInput as Input,
  FlytoMetadata as Metadata,
  FlytoModel,
  FlytoPermissionRequest as PermissionRequest,
  FlytoPlainCapability as PlainCapability,
  FlytoPlainMetadata as PlainMetadata,
  FlytoPlainResult as PlainResult,
  FlytoPlainTool as PlainTool,
  FlytoPlainUndoInfo as PlainUndoInfo,
  FlytoProgress as ProgressFunc,
  FlytoResult as Result,
  FlytoSessionContext as SessionContext,
  FlytoTool as Tool,
  FlytoUndoInfo as UndoInfo,
} from "./flyto-types.ts";
