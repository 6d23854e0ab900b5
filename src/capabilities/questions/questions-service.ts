import {
  createAnswerCheck,
  type GivenReply,
  newQuestion,
  nobodyToAsk,
  type OpenQuestions,
  type QuestionRequest,
} from "../../kernel/people/index.ts";
import { methodKeys, type OpenService, type Service, type ServiceCall } from "../../kernel/services/index.ts";
import type { SessionLog } from "../../kernel/session/index.ts";
import { Deadline, DeadlineReached } from "../../shared/deadline.ts";
import { defined } from "../../shared/options/defined.ts";
import { foreign } from "../../shared/options/known-keys.ts";
import { inCode } from "../../shared/options/option.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import type { Answer, Question, QuestionHandler, QuestionSource } from "../../tool/services/question.ts";
import type { AskOptions, ToolContext } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";

export const questionsOptions = { onQuestion: inCode<QuestionHandler>() };

/** Lets a tool ask the person a question. */
export const questionsService: Service<"questions", QuestionsParts, OpenService<"questions">> = {
  offers: "asking questions",
  // The question is checked where it is asked.
  keys: methodKeys<"questions">({ ask: [1, { signal: foreign }] }, { ask: [0, foreign] }),
  open: (parts) => ({
    forCall(_gate, call) {
      const ask = async (given: string | Question, options: AskOptions = {}): Promise<Answer> => {
        const question = typeof given === "string" ? { text: given } : given;
        return askQuestion(question, options, { ...parts, call });
      };
      // Safe: the answer has been checked against the question.
      return { ask: ask as ToolContext["ask"] };
    },
  }),
};

interface QuestionsParts {
  readonly log: Pick<SessionLog, "note">;
  readonly redactor: Redactor;
  /** Asks the person; absent if no person can be asked here. */
  readonly onQuestion?: QuestionHandler | undefined;
  /** Where questions wait for a person who answers elsewhere. */
  readonly questionQueue: OpenQuestions;
  /** Called when a question begins to wait for a person. */
  readonly onWaiting?: ((request: QuestionRequest) => void) | undefined;
}

/**
 * Asks the person and waits for the first answer, which a handler here or a person elsewhere gives. Meanwhile the call's
 * clock is paused, and its slot is free for another call.
 */
async function askQuestion(
  question: Question,
  { signal }: AskOptions,
  { call, ...parts }: QuestionsParts & { readonly call: ServiceCall },
): Promise<Answer> {
  const { log, redactor, questionQueue: questions, onWaiting } = parts;
  const { id: callId, sessionId, caller, deadline, onQuestion: handler = parts.onQuestion } = call;
  const source: QuestionSource = { callId, sessionId, caller };
  const check = createAnswerCheck(question);
  const wanted = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
  wanted.throwIfAborted();
  const earlier = await questions.kept?.take(questions.bind(question, source));
  const request = newQuestion(question, source);
  if (earlier === undefined && handler === undefined && !questions.isAnswered)
    throw await leaveQuestion(call, request, parts);

  /** Records the question and how it ends. */
  const recorded = async (asked: Promise<GivenReply>): Promise<Answer> => {
    log.note({ type: "question-ask", callId, ...(redactor.value(question) as Question) });
    try {
      const { given, by } = answerIn(await asked);
      const answer = check(given);
      const shown = redactor.value(answer) as Answer;
      log.note({ type: "question-answer", callId, answer: shown, ...defined({ answeredBy: by }) });
      return answer;
    } catch (error) {
      const reason = redactor.text(describeThrown(error));
      log.note({ type: "question-fail", callId, reason });
      throw error;
    }
  };
  if (earlier !== undefined) return recorded(Promise.resolve(earlier));
  return call.whileSomebodyThinks(() => {
    const ask = handler && (async (over: AbortSignal) => ({ given: await handler(question, over, source) }));
    const asked = askInTime(questions, request, { ask, signal: wanted });
    onWaiting?.(request);
    return recorded(asked);
  });
}

function answerIn(reply: GivenReply): { readonly given: unknown; readonly by?: string } {
  if ("given" in reply) return reply;
  if ("answer" in reply) return { given: reply.answer, by: reply.by };
  const why = reply.note === undefined ? "" : `: ${reply.note}`;
  throw new ToolError("declined", `${reply.by} declined to answer${why}`, {
    hint: "Continue without the answer, or say what you need to know.",
  });
}

/** Leaves the question for a person who comes later. If the question suggests an answer, the call goes on with that one. */
async function leaveQuestion(
  { isPreview }: ServiceCall,
  request: QuestionRequest,
  { questionQueue: questions, onWaiting }: Pick<QuestionsParts, "questionQueue" | "onWaiting">,
): Promise<ToolError> {
  const reason = "there is nobody to ask";
  const { kept } = questions;
  if (kept === undefined || isPreview || request.question.default !== undefined) return nobodyToAsk(reason);
  const id = await kept.leave(request, questions.bind(request.question, request));
  if (id === request.id) onWaiting?.(request);
  return nobodyToAsk(reason, kept.howToAnswer(id));
}

/**
 * Asks within the question's time. The signal tells the handler that the call waits no more; a handler that ignores it
 * cannot delay the caller.
 */
async function askInTime(
  questions: OpenQuestions,
  request: QuestionRequest,
  { signal, ask }: Parameters<OpenQuestions["begin"]>[1],
): Promise<GivenReply> {
  const waiting = new Deadline(signal);
  const { timeoutMs } = request.question;
  if (timeoutMs !== undefined) waiting.start(timeoutMs);
  try {
    return await waiting.race(questions.begin(request, { ask, signal: waiting.signal }));
  } catch (error) {
    if (error instanceof DeadlineReached && error === waiting.reason) throw unansweredInTime(error);
    throw error;
  } finally {
    questions.end(request.id);
    waiting.close();
  }
}

function unansweredInTime({ timeoutMs, cause }: DeadlineReached): ToolError {
  return new ToolError("timed-out", `nobody answered within ${timeoutMs} ms`, {
    hint: "Continue without the answer, or say what you need to know.",
    cause,
  });
}
