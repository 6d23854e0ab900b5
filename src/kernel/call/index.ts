export { notifyOfQuestion } from "./asking/notify.ts";
export { beginCall, isCallId } from "./begin-call.ts";
export type { CallRequest, CallResult, LogMessage, ResolvedCall } from "./call.ts";
export { callAll } from "./call-all.ts";
export { CallContext } from "./call-context.ts";
export type { CallHost } from "./call-host.ts";
export type { CallError, CallOutcome } from "./call-outcome.ts";
export { execute } from "./execute.ts";
export { explainCall } from "./explain-call.ts";
export { commandHooks } from "./hooks/commands/command-hooks.ts";
export { hookEvents } from "./hooks/commands/hook-command.ts";
export { askHooks, tellHooks } from "./hooks/event-hooks.ts";
export {
  type AfterCallHook,
  type AfterDecision,
  type BeforeCallHook,
  type BeforeDecision,
  followHooks,
  type HookAnswer,
  type HookCall,
  type HookChain,
  type Hooks,
  hookKeys,
  hooksOption,
  noHooks,
} from "./hooks/hooks.ts";
export { sessionInbox, variableText } from "./inbox/session-inbox.ts";
export { validateInput } from "./input/validate-input.ts";
export { createLoopWatch, type LoopLimits, loopsOption } from "./loops/loop-watch.ts";
export { outcomeOfError } from "./outcome.ts";
export { resolveTool } from "./resolve-tool.ts";
export { runCall } from "./run-call.ts";
export { checkRewind, planRewind, type RewindPlan, rewindFiles } from "./undo/rewind-session.ts";
export { undoCall } from "./undo/undo-call.ts";
export { createUndoStore, type UndoStore } from "./undo/undo-store.ts";
