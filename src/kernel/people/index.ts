export {
  type ApprovalAnswer,
  type ApprovalDecision,
  type ApprovalHandler,
  type ApprovalLasts,
  type ApprovalQueue,
  type ApprovalRequest,
  type Approvals,
  type DecisionDetails,
  decisionDetailKeys,
  type NewRequest,
  newApproval,
  type PersonDecision,
  whyNotElsewhere,
} from "./approvals.ts";
export { type ApprovalFormat, approvalPages, formatApproval } from "./format-approval.ts";
export {
  findSessionsAsking,
  openPeople,
  peopleKept,
  readWaitingCalls,
  requestsInSessions,
  withoutPeople,
} from "./people.ts";
export {
  createAnswerCheck,
  type GivenReply,
  newQuestion,
  nobodyToAsk,
  type OpenQuestions,
  type QuestionQueue,
  type QuestionRequest,
} from "./questions.ts";
export {
  openWaitingList,
  plainDecision,
  type RuntimeApprovals,
  type WaitingAnswer,
  type WaitingEntry,
  type WaitingItem,
  type WaitingKind,
} from "./waiting-list.ts";
export { decidedElsewhere } from "./waiting-queue.ts";
export type { RequestBinding } from "./waiting-records.ts";
export { type PersonMessage, takeMessage } from "./waiting-requests.ts";
