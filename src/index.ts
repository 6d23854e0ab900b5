export { openRuntime, type Runtime } from "./open-runtime.ts";
export type { DialectDefinition } from "./runtime/dialects/dialect.ts";
export type { PresentedTool } from "./runtime/dialects/dialect-view.ts";
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
  ApprovalAnswer,
  ApprovalDecision,
  ApprovalHandler,
  ApprovalRequest,
} from "./runtime/policy/approvals/approvals.ts";
export type { Mode } from "./runtime/policy/decide.ts";
export type { Effects, Verdict } from "./runtime/policy/verdict.ts";
export type { BudgetLimits } from "./runtime/sessions/budget.ts";
export type { Plugin, PluginApi, RuntimeOptions } from "./runtime-options.ts";
export type { CallOptions, Session, SessionOptions } from "./session.ts";
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
