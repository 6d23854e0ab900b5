import { Deadline, DeadlineReached } from "../../../shared/deadline.ts";
import type { Redactor } from "../../../shared/secrets/redact.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { Answer, Question, QuestionHandler } from "../../../tool/services/question.ts";
import type { AskOptions } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { SessionLog } from "../../sessions/session-log.ts";
import type { ServiceCall } from "../service.ts";
import { createAnswerCheck, nobodyToAsk } from "./check-answer.ts";

export interface QuestionsParts {
  readonly log: Pick<SessionLog, "note">;
  readonly redactor: Redactor;
  /** Asks the person; absent if there is nobody to ask. */
  readonly onQuestion?: QuestionHandler | undefined;
}

/**
 * Asks the person and waits for the answer. Meanwhile the call's clock is paused, and its slot is free for another
 * call.
 */
export async function askQuestion(
  question: Question,
  { signal }: AskOptions,
  { call, log, redactor, onQuestion }: QuestionsParts & { readonly call: ServiceCall },
): Promise<Answer> {
  const { id: callId, deadline } = call;
  const check = createAnswerCheck(question);
  const ask = call.onQuestion ?? onQuestion;
  if (ask === undefined) throw nobodyToAsk("there is nobody to ask");
  const wanted = signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, signal]);
  wanted.throwIfAborted();
  log.note({ type: "question-ask", callId, ...(redactor.value(question) as Question) });
  return call.whileSomebodyThinks(async () => {
    try {
      const answer = check(await askInTime(question, { ask: askFor(call, ask), signal: wanted }));
      log.note({ type: "question-answer", callId, answer: redactor.value(answer) as Answer });
      return answer;
    } catch (error) {
      const reason = redactor.text(describeThrown(error));
      log.note({ type: "question-fail", callId, reason });
      throw error;
    }
  });
}

type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;

function askFor({ id: callId, sessionId, caller }: ServiceCall, ask: QuestionHandler): Ask {
  return async (question, signal) => ask(question, signal, { callId, sessionId, caller });
}

/** The signal tells the handler that nobody waits any more; a handler that ignores it cannot delay the caller. */
async function askInTime(
  question: Question,
  { ask, signal }: { ask: Ask; signal: AbortSignal },
): Promise<unknown> {
  const waiting = new Deadline(signal);
  const { timeoutMs } = question;
  if (timeoutMs !== undefined) waiting.start(timeoutMs);
  try {
    return await waiting.race(ask(question, waiting.signal));
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
