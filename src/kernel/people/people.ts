import type { KeptKind, Store } from "../store/index.ts";
import { type ApprovalHandler, type ApprovalRequest, type Approvals, createApprovals } from "./approvals.ts";
import { createQuestions, type OpenQuestions } from "./questions.ts";
import { callKind } from "./waiting-calls.ts";
import type { WaitingKind } from "./waiting-list.ts";
import { questionKind } from "./waiting-questions.ts";
import {
  createWaitingRecords,
  findAsking,
  type RecordParts,
  readRequests,
  removeLost,
} from "./waiting-records.ts";
import { type RequestListParts, waitingRequests } from "./waiting-requests.ts";

/** The requests of the calls of a session to people. */
export interface People {
  readonly approvals: Approvals;
  readonly questions: OpenQuestions;
}

export interface PeopleOptions {
  readonly sessionId: string;
  readonly workspace: string;
  readonly isResumed: boolean;
  readonly onApproval: ApprovalHandler | undefined;
  /** Whether a person works through the queue. */
  readonly isQueued: boolean;
}

/** Opens the queues of a session. Requests are kept in the store, where any process can see and answer them. */
export async function openPeople(parts: RecordParts, options: PeopleOptions): Promise<People> {
  const { sessionId, workspace, isResumed, onApproval: handler, isQueued: queue } = options;
  const calls = await createWaitingRecords(callKind, parts, sessionId);
  const questions = await createWaitingRecords(questionKind, parts, sessionId);
  if (isResumed) {
    await removeLost(callKind, parts.kept);
    await removeLost(questionKind, parts.kept);
  }
  return {
    approvals: createApprovals({ handler, queue, records: calls }),
    questions: createQuestions({ queue, workspace, records: questions }),
  };
}

/** The queues of a session whose requests are not kept, and which no person answers. */
export function withoutPeople(): People {
  return { approvals: createApprovals({ queue: false }), questions: createQuestions({ queue: false }) };
}

/** The calls and questions that wait for a person, in every session and process of a store. */
export function requestsInSessions(parts: RequestListParts): readonly WaitingKind[] {
  return [waitingRequests(callKind, parts), waitingRequests(questionKind, parts)];
}

/** The calls of a session and its sub-agents that wait for a person, oldest first. */
export function readWaitingCalls(
  store: Pick<Store, "readVariables">,
  sessionId: string,
): Promise<readonly ApprovalRequest[]> {
  return readRequests(callKind, store, sessionId);
}

/** The sessions in which a call or a question waits for a person now. */
export async function findSessionsAsking(
  store: Pick<Store, "listScopes" | "readVariables" | "lives">,
): Promise<ReadonlySet<string>> {
  return new Set([...(await findAsking(callKind, store)), ...(await findAsking(questionKind, store))]);
}

/** The kept state of requests and answers. */
export const peopleKept: readonly KeptKind[] = [callKind, questionKind].flatMap(({ requests, answers }) => [
  requests,
  answers,
]);
