import { sha256 } from "../../shared/crypto.ts";
import { canonicalJson } from "../../shared/json.ts";
import { newId, nextTime } from "../../shared/new-id.ts";
import { defined } from "../../shared/options/defined.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { createFormCheck } from "../../tool/forms/form-check.ts";
import {
  type Answer,
  type Question,
  type QuestionReply,
  type QuestionSource,
  questionKeys,
} from "../../tool/services/question.ts";
import { ToolError } from "../../tool/tool-error.ts";
import { isText } from "../store/index.ts";
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
  /** Whether a person works through the queue, so that a question can wait although no person is asked here. */
  readonly isAnswered: boolean;
  readonly kept: KeptRequests<QuestionRequest, QuestionReply> | undefined;
  /**
   * Binds a question to its client and workspace; the binding is equal for the same question of the same client there.
   */
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
    records,
    missing: questionNotWaiting,
    expired: () => ({ error: nobodyToAsk("no answer came within 24 hours") }),
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
      waiting.settle(id, { declined: true, by, ...defined({ note }) });
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

/**
 * Creates a check for the answer to a question: it comes from outside, so it may be missing or invalid. Throws
 * immediately for an invalid question.
 */
export function createAnswerCheck(question: Question): (given: unknown) => Answer {
  refuseUnknownKeys(question, questionKeys, "a question");
  const { text, choices = [], fields } = question;
  if (!isText(text)) throw new TypeError("a question's text must be a string");
  if (!Array.isArray(choices) || !choices.every(isText))
    throw new TypeError("a question's choices must be an array of strings");
  const check = fields === undefined ? (given: unknown) => fitChoice(given, choices) : fitForm(fields);
  return (given) => {
    if (given === undefined || given === null) throw nobodyToAsk("no answer was given");
    return check(given);
  };
}

function fitChoice(given: unknown, choices: readonly string[]): string {
  if (typeof given === "object")
    throw new ToolError("no-match", "the answer is an object, but the question asked for text");
  const answer = String(given);
  if (choices.length === 0) return answer;
  const meant = answer.trim().toLowerCase();
  const isMeant = (choice: string) => choice.toLowerCase() === meant;
  const choice = choices.find((each) => each === answer) ?? choices.find(isMeant);
  if (choice !== undefined) return choice;
  throw new ToolError(
    "no-match",
    `the answer ${JSON.stringify(answer)} is not one of ${choices.join(", ")}`,
    {
      hint: "Ask again, or ask without choices.",
      retryable: true,
    },
  );
}

function fitForm(fields: NonNullable<Question["fields"]>): (given: unknown) => Answer {
  const check = createFormCheck(fields);
  return (given) => {
    const validation = check(given);
    if (validation.ok) return validation.value;
    const problems = validation.issues.map(({ message }) => message).join("; ");
    throw new ToolError("no-match", `the answer does not match the form: ${problems}`, {
      hint: "Ask again, or ask for less.",
      retryable: true,
    });
  };
}

/** `howToAnswer`: the command with which a person can answer later. */
export function nobodyToAsk(message: string, howToAnswer?: string): ToolError {
  const later =
    howToAnswer === undefined
      ? ""
      : ` A person can answer with \`${howToAnswer}\`; asked again, the same question then gets that answer.`;
  return new ToolError("nobody-to-ask", message, {
    hint: `Continue without the answer, or say what you need to know.${later}`,
  });
}
