export type {
  AfterCallHook,
  AfterDecision,
  BeforeCallHook,
  BeforeDecision,
  CallError,
  CallRequest,
  CallResult,
  HookCall,
  Hooks,
} from "./kernel/call/index.ts";
export type { DialectDefinition, PresentedTool } from "./kernel/dialects/index.ts";
export type { CallStatus, Channel, LoggedEvent, Receipt, SessionEvent } from "./kernel/events/index.ts";
export type {
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalHandler,
  ApprovalRequest,
} from "./kernel/people/index.ts";
export type { Effects, Mode, Verdict } from "./kernel/policy/index.ts";
export type {
  CallOptions,
  Plugin,
  PluginApi,
  RuntimeOptions,
  Session,
  SessionOptions,
} from "./kernel/runtime/index.ts";
export type { BudgetLimits } from "./kernel/session/index.ts";
export { openRuntime, type Runtime } from "./open-runtime.ts";
export { type JsonSchema, SchemaError } from "./shared/json-schema/json-schema.ts";
export type { Caller } from "./tool/caller.ts";
export { type AnyTool, defineTool, defineTools, type Tool, type ToolBody } from "./tool/define-tool.ts";
export type { InferSchema } from "./tool/input-schema.ts";
export type { InferParams, ParamDefinition, ParamDefinitions } from "./tool/params.ts";
export type { PermissionClass, PermissionRequest } from "./tool/permission-request.ts";
export type { Job } from "./tool/services/processes.ts";
export type { Answer, Question, QuestionHandler } from "./tool/services/question.ts";
export type { Task, Todo } from "./tool/services/tasks.ts";
export type { Logger, SessionView, ToolContext, Variables } from "./tool/tool-context.ts";
export { type ErrorCode, errorCodes, ToolError, type ToolErrorOptions } from "./tool/tool-error.ts";
export type { ContentPart, PartsResult } from "./tool/tool-result.ts";
export type { Traits } from "./tool/traits.ts";
