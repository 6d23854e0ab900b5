export type { CallRequest, CallResult } from "./kernel/call/call.ts";
export type { CallError } from "./kernel/call/call-outcome.ts";
export type {
  AfterCallHook,
  AfterDecision,
  BeforeCallHook,
  BeforeDecision,
  HookCall,
  Hooks,
} from "./kernel/call/hooks/hooks.ts";
export type { DialectDefinition } from "./kernel/dialects/dialect.ts";
export type { PresentedTool } from "./kernel/dialects/dialect-view.ts";
export type { CallStatus, Receipt } from "./kernel/events/receipt.ts";
export type { Channel, LoggedEvent, SessionEvent } from "./kernel/events/session-event.ts";
export type {
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalHandler,
  ApprovalRequest,
} from "./kernel/people/approvals.ts";
export type { Mode } from "./kernel/policy/decide.ts";
export type { Effects, Verdict } from "./kernel/policy/verdict.ts";
export type { Plugin, PluginApi, RuntimeOptions } from "./kernel/runtime/runtime-options.ts";
export type { CallOptions, Session, SessionOptions } from "./kernel/runtime/session.ts";
export type { BudgetLimits } from "./kernel/session/budget.ts";
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
