import { newId, nextTime } from "../../shared/new-id.ts";
import type { Question, QuestionReply, QuestionSource } from "../../tool/services/question.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { maxWaitMs } from "./approvals.ts";
import { createAnswerCheck, nobodyToAsk } from "./check-answer.ts";
import type { KeptQuestions, QuestionRecords, QuestionRequest } from "./question-records.ts";

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
  readonly kept: KeptQuestions | undefined;
  /** Queues a question. */
  begin(question: Question, source: QuestionSource): OpenQuestion;
}

interface OpenQuestion {
  readonly request: QuestionRequest;
  /** Rejects when nobody has answered in a day. */
  readonly reply: Promise<QuestionReply>;
  /** It was answered here, or does not matter any more. */
  end(): void;
}

/** The queue of a session's questions. */
export function createQuestionQueue({
  queue,
  records,
}: {
  readonly queue: boolean;
  readonly records?: QuestionRecords;
}): OpenQuestions {
  const waiting = new Map<string, Waiting>();
  const find = (id: string): Waiting => {
    const found = waiting.get(id);
    if (found === undefined) throw notAsked(id);
    return found;
  };
  return {
    isAnswered: queue,
    kept: records?.kept,
    list: () => [...waiting.values()].map(({ request }) => request),
    answer(id, given, { by = "person" } = {}) {
      const { request, end, settle } = find(id);
      const answer = createAnswerCheck(request.question)(given);
      end();
      settle({ answer, by });
    },
    decline(id, { by = "person", note } = {}) {
      const { end, settle } = find(id);
      end();
      settle({ declined: true, by, ...(note !== undefined && { note }) });
    },
    begin(question, source) {
      const request = newQuestion(question, source);
      const { promise: reply, resolve: settle, reject } = Promise.withResolvers<QuestionReply>();
      // Whoever asked may have an answer already when this one fails.
      reply.catch(() => {});
      const expiry = setTimeout(() => reject(nobodyToAsk(expired)), maxWaitMs);
      // Stays alive for an answer that can come from another process.
      if (records?.kept === undefined) expiry.unref();
      const end = () => {
        clearTimeout(expiry);
        if (waiting.delete(request.id)) records?.remove(request.id);
      };
      waiting.set(request.id, { request, settle, end });
      records?.add(request);
      return { request, reply, end };
    },
  };
}

/** What a person has said in another process. */
export function giveReply(
  { answer, decline }: Pick<QuestionQueue, "answer" | "decline">,
  id: string,
  reply: QuestionReply,
): void {
  if ("answer" in reply) answer(id, reply.answer, { by: reply.by });
  else decline(id, reply);
}

interface Waiting extends Pick<OpenQuestion, "end"> {
  readonly request: QuestionRequest;
  settle(reply: QuestionReply): void;
}

const expired = "nobody answered within 24 hours";

export function newQuestion(question: Question, source: QuestionSource): QuestionRequest {
  return { ...source, id: newId("question"), question, requestedAt: nextTime() };
}

export function notAsked(id: string): ToolError {
  return new ToolError(
    "not-found",
    `no question ${id} is waiting: it was already answered, or its call has ended`,
    { hint: "`toolwright approvals` lists those that wait." },
  );
}
