export { type AgentTurn, createAgentTurn } from "./agent-turn.ts";
export {
  type Budget,
  type BudgetLimits,
  budgetOption,
  checkBudget,
  createBudget,
  isNear,
  type NearLimit,
  readSpending,
  type SessionBudget,
  warningOf,
  withCanonicalTools,
} from "./budget.ts";
export { type ChangesSince, findChangesSince } from "./conversation/changes-since.ts";
export {
  type ConversationMessage,
  listMessages,
  readConversation,
} from "./conversation/read-conversation.ts";
export { type EventQuery, endedBy, readLog, streamEvents } from "./event-stream.ts";
export { askOwner, describeOwner, findLiveOwner, leaveItem } from "./inbox/ask-owner.ts";
export { type InboxRequest, maxMessageCharacters, type UndoItem } from "./inbox/inbox-item.ts";
export { createInboxes, type Inboxes, type InboxHandler, type InboxHandlers } from "./inbox/serve-inboxes.ts";
export { type KeptValues, openKept, type SessionKept } from "./kept/kept.ts";
export { sessionKept } from "./kept/kept-kinds.ts";
export { openGrants } from "./kept/session-grants.ts";
export { createOpenCalls, type OpenCalls } from "./open-calls.ts";
export { isSessionBusy, type OwnedSession, ownSession, releaseWrite, sessionLost } from "./own-session.ts";
export { createProposalCount, type ProposalCount } from "./proposal-count.ts";
export { createSessionLog, type SessionLog } from "./session-log.ts";
export {
  beginRun,
  type FindEvidence,
  findOpenLives,
  findOpenRuns,
  type SessionRun,
  sealLostRuns,
} from "./session-run.ts";
export { readSessionStates, type SessionState } from "./session-state.ts";
export { joinTaints, openTaint, readTaint, type SessionTaint } from "./session-taint.ts";
export { openSessionTrust, type SessionTrust } from "./session-trust.ts";
export { openSessionVariables, sessionValues, type TaskVariables } from "./session-variables.ts";
export { copyJson, createVariables, variablesOver } from "./variables.ts";
