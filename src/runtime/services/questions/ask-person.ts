import { Deadline, DeadlineReached } from "../../../shared/deadline.ts";
import type { Answer, Question, QuestionHandler } from "../../../tool/services/question.ts";
import type { AskOptions } from "../../../tool/tool-context.ts";
import { ToolError } from "../../../tool/tool-error.ts";
import type { ResolvedCall } from "../../pipeline/call.ts";
import { createAnswerCheck, nobodyThere } from "./check-answer.ts";

/**
 * Puts a question to the person and waits for the answer. The call's own clock stands still meanwhile, and its place
 * among the calls that run at once is another's.
 */
export async function askPerson(
  call: ResolvedCall,
  question: Question,
  { signal }: AskOptions = {},
): Promise<Answer> {
  const { log, redactor } = call.environment;
  const check = createAnswerCheck(question);
  const ask = call.request.onQuestion ?? call.environment.askPerson;
  if (ask === undefined) throw nobodyThere("there is nobody to ask here");
  const ended = call.deadline.signal;
  const wanted = signal === undefined ? ended : AbortSignal.any([ended, signal]);
  wanted.throwIfAborted();
  log.note({ type: "question-asked", callId: call.id, ...(redactor.value(question) as Question) });
  call.deadline.pause();
  call.slot?.release();
  try {
    const answer = check(await askInTime(question, { ask: askFor(call, ask), signal: wanted }));
    log.note({ type: "question-answered", callId: call.id, answer: redactor.value(answer) as Answer });
    return answer;
  } catch (error) {
    const reason = redactor.text(error instanceof Error ? error.message : String(error));
    log.note({ type: "question-unanswered", callId: call.id, reason });
    throw error;
  } finally {
    await call.slot?.acquire();
    call.deadline.resume();
  }
}

type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;

function askFor({ id: callId, caller, environment }: ResolvedCall, ask: QuestionHandler): Ask {
  const from = { callId, sessionId: environment.session.id, caller };
  return async (question, signal) => ask(question, signal, from);
}

/** Whoever is asked is told by the signal that the answer is no longer waited for, and cannot hold anybody up. */
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
    hint: "Go on without the answer, or say what is missing.",
    cause,
  });
}
