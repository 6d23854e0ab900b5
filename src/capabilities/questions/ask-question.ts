import { createAnswerCheck, nobodyToAsk } from "../../kernel/people/check-answer.ts";
import { newQuestion, type OpenQuestions } from "../../kernel/people/question-queue.ts";
import type { QuestionRequest } from "../../kernel/people/question-records.ts";
import type { ServiceCall } from "../../kernel/services/service.ts";
import type { SessionLog } from "../../kernel/session/session-log.ts";
import { Deadline, DeadlineReached } from "../../shared/deadline.ts";
import type { Redactor } from "../../shared/secrets/redact.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import type {
  Answer,
  Question,
  QuestionHandler,
  QuestionReply,
  QuestionSource,
} from "../../tool/services/question.ts";
import type { AskOptions } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";

export interface QuestionsParts {
  readonly log: Pick<SessionLog, "note">;
  readonly redactor: Redactor;
  /** Asks the person; absent if there is nobody to ask. */
  readonly onQuestion?: QuestionHandler | undefined;
  /** Where questions wait for whoever answers elsewhere. */
  readonly questionQueue: OpenQuestions;
  /** Called when a question begins to wait for a person. */
  readonly onWaiting?: ((request: QuestionRequest) => void) | undefined;
}

/**
 * Asks the person and waits for the answer: of whoever is asked here, or of whoever answers elsewhere, the first one.
 * Meanwhile the call's clock is paused, and its slot is free for another call.
 */
export async function askQuestion(
  question: Question,
  { signal }: AskOptions,
  { call, ...parts }: QuestionsParts & { readonly call: ServiceCall },
): Promise<Answer> {
  const { log, redactor, onQuestion, questionQueue, onWaiting } = parts;
  const { id: callId, sessionId, caller, deadline } = call;
  const source: QuestionSource = { callId, sessionId, caller };
  const check = createAnswerCheck(question);
  const handler = call.onQuestion ?? onQuestion;
  const wanted = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
  wanted.throwIfAborted();
  const earlier = await questionQueue.kept?.take(question, source);
  if (earlier === undefined && handler === undefined && !questionQueue.isAnswered)
    throw await leaveQuestion(call, newQuestion(question, source), parts);

  /** Records the question and how it ends. */
  const recorded = async (asked: Promise<Reply>): Promise<Answer> => {
    log.note({ type: "question-ask", callId, ...(redactor.value(question) as Question) });
    try {
      const { given, by } = answerIn(await asked);
      const answer = check(given);
      const answeredBy = by === undefined ? {} : { answeredBy: by };
      log.note({
        type: "question-answer",
        callId,
        answer: redactor.value(answer) as Answer,
        ...answeredBy,
      });
      return answer;
    } catch (error) {
      const reason = redactor.text(describeThrown(error));
      log.note({ type: "question-fail", callId, reason });
      throw error;
    }
  };
  if (earlier !== undefined) return recorded(Promise.resolve(earlier));
  return call.whileSomebodyThinks(() => {
    const waiting = questionQueue.begin(question, source);
    onWaiting?.(waiting.request);
    const ask: Ask = (over) => firstOf(waiting.reply, handler && { handler, question, source, over });
    return recorded(askInTime(ask, question.timeoutMs, wanted).finally(waiting.end));
  });
}

/** Of whoever answered elsewhere, or what the handler of this process returned, which may be anything. */
type Reply = QuestionReply | { readonly given: unknown };

function answerIn(reply: Reply): { readonly given: unknown; readonly by?: string } {
  if ("given" in reply) return reply;
  if ("answer" in reply) return { given: reply.answer, by: reply.by };
  const why = reply.note === undefined ? "" : `: ${reply.note}`;
  throw new ToolError("declined", `${reply.by} declined to answer${why}`, {
    hint: "Continue without the answer, or say what you need to know.",
  });
}

/** Leaves the question for a person who comes later. With a suggested answer, whoever asks goes on with that. */
async function leaveQuestion(
  { isPreview }: ServiceCall,
  request: QuestionRequest,
  { questionQueue: { kept }, onWaiting }: Pick<QuestionsParts, "questionQueue" | "onWaiting">,
): Promise<ToolError> {
  const nobody = "there is nobody to ask";
  if (kept === undefined || isPreview || request.question.default !== undefined) return nobodyToAsk(nobody);
  const id = await kept.leave(request);
  if (id === request.id) onWaiting?.(request);
  return nobodyToAsk(nobody, kept.howToAnswer(id));
}

type Ask = (over: AbortSignal) => Promise<Reply>;

interface AskedHere {
  readonly handler: QuestionHandler;
  readonly question: Question;
  readonly source: QuestionSource;
  readonly over: AbortSignal;
}

/** Whoever is asked here need not answer what was answered elsewhere. */
async function firstOf(elsewhere: Promise<QuestionReply>, here: AskedHere | undefined): Promise<Reply> {
  if (here === undefined) return elsewhere;
  const answered = new AbortController();
  const ask = async () => {
    const { handler, question, source, over } = here;
    return { given: await handler(question, AbortSignal.any([over, answered.signal]), source) };
  };
  try {
    return await Promise.race([ask(), elsewhere]);
  } finally {
    answered.abort();
  }
}

/** The signal tells the handler that nobody waits any more; a handler that ignores it cannot delay the caller. */
async function askInTime(ask: Ask, timeoutMs: number | undefined, signal: AbortSignal): Promise<Reply> {
  const waiting = new Deadline(signal);
  if (timeoutMs !== undefined) waiting.start(timeoutMs);
  try {
    return await waiting.race(ask(waiting.signal));
  } catch (error) {
    if (error instanceof DeadlineReached && error === waiting.reason) throw unansweredInTime(error);
    throw error;
  } finally {
    waiting.close();
  }
}

function unansweredInTime({ timeoutMs, cause }: DeadlineReached): ToolError {
  return new ToolError("timed-out", `nobody answered within ${timeoutMs} ms`, {
    hint: "Continue without the answer, or say what you need to know.",
    cause,
  });
}
