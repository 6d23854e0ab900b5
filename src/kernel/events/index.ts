export type {
  AgentEvent,
  AssistantCall,
  AssistantPart,
  AssistantText,
  CutMessage,
  GivenNote,
  MaskedCall,
  ModelDelta,
  ModelPrice,
  ModelPrices,
  ProviderOptions,
  TokenUsage,
} from "./agent-event.ts";
export {
  type FileChange,
  isSameState,
  joinChanges,
  missing,
  type NetChange,
  netChanges,
  type Owner,
  type PathState,
} from "./file-change.ts";
export { withCurrentName } from "./former-event-names.ts";
export { progressText } from "./progress-text.ts";
export type {
  CallStatus,
  Noted,
  NotedFields,
  Receipt,
  ReceiptBody,
  ReceiptFields,
  ReceiptFieldTable,
} from "./receipt.ts";
export {
  type CallEndEvent,
  type CalledTool,
  type Channel,
  channelByType,
  channels,
  type LoggedEvent,
  type LoggedEventOf,
  type SessionEvent,
  type StopCode,
} from "./session-event.ts";
export { turnedBy, turningCalls } from "./turning-calls.ts";
