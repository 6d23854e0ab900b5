import { sha256 } from "../../shared/crypto.ts";
import { canonicalJson } from "../../shared/json.ts";
import { newId, nextTime } from "../../shared/new-id.ts";
import type { Question, QuestionReply, QuestionSource } from "../../tool/services/question.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { createAnswerCheck, nobodyToAsk } from "./check-answer.ts";
import { createWaitingQueue } from "./waiting-queue.ts";
import {
  boundClient,
  type KeptRequests,
  type RequestBinding,
  type WaitingRecords,
} from "./waiting-records.ts";

/** A tool's question that waits for a person's answer. */
export interface QuestionRequest extends QuestionSource {
  readonly id: string;
  readonly question: Question;
  /** ISO 8601. */
  readonly requestedAt: string;
}

/** A session's questions that wait for an answer. */
export interface QuestionQueue {
  list(): readonly QuestionRequest[];
  /** Answers a waiting question, once. Throws if the answer does not fit the question, which then goes on waiting. */
  answer(id: string, answer: unknown, details?: { readonly by?: string }): void;
  /** Says that no answer will be given. The model reads the note. */
  decline(id: string, details?: { readonly by?: string; readonly note?: string }): void;
}

export interface OpenQuestions extends QuestionQueue {
  /** Whether a person works through the queue, so that a question can wait without anybody being asked here. */
  readonly isAnswered: boolean;
  readonly kept: KeptRequests<QuestionRequest, QuestionReply> | undefined;
  /** The same for the same question of the same client in the same workspace. */
  bind(question: Question, source: QuestionSource): RequestBinding;
  /** Queues a question. Rejects if it has no answer in a day. */
  begin(
    request: QuestionRequest,
    options: { readonly signal: AbortSignal; readonly ask?: AskHere | undefined },
  ): Promise<GivenReply>;
  /** Removes a question that was answered, or whose call has ended. */
  end(id: string): void;
}

type AskHere = (over: AbortSignal) => Promise<GivenReply>;

/** The reply of a person elsewhere, or the value that the handler of this process returned, which may be anything. */
export type GivenReply = QuestionReply | { readonly given: unknown };

/** The queue of a session's questions. */
export function createQuestions({
  queue,
  workspace = "",
  records,
}: {
  readonly queue: boolean;
  readonly workspace?: string;
  readonly records?: WaitingRecords<QuestionRequest, QuestionReply>;
}): OpenQuestions {
  const waiting = createWaitingQueue<QuestionRequest, GivenReply>({
    // An answer given here is used at once, and need not be held.
    records: records && { ...records, remove: (id) => records.remove(id) },
    missing: questionNotWaiting,
    expired: () => ({ error: nobodyToAsk("nobody answered within 24 hours") }),
  });
  const bind: OpenQuestions["bind"] = ({ timeoutMs: _wait, ...question }, { caller, sessionId }) => ({
    key: sha256(canonicalJson([workspace, boundClient(caller, sessionId), question])),
  });
  return {
    isAnswered: queue,
    kept: records?.kept,
    bind,
    list: waiting.list,
    answer(id, given, { by = "person" } = {}) {
      const answer = createAnswerCheck(waiting.find(id).question)(given);
      waiting.settle(id, { answer, by });
    },
    decline(id, { by = "person", note } = {}) {
      waiting.settle(id, { declined: true, by, ...(note !== undefined && { note }) });
    },
    begin: (request, options) =>
      waiting.begin(request, { ...options, binding: bind(request.question, request) }),
    end: waiting.end,
  };
}

export function newQuestion(question: Question, source: QuestionSource): QuestionRequest {
  return { ...source, id: newId("question"), question, requestedAt: nextTime() };
}

export function questionNotWaiting(id: string): ToolError {
  return new ToolError(
    "not-found",
    `no question ${id} is waiting: it was already answered, or its call has ended`,
    { hint: "`toolwright approvals` lists those that wait." },
  );
}
