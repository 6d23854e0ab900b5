import { Deadline, DeadlineReached } from "../../shared/deadline.ts";
import type { Question } from "../../tool/tool-context.ts";
import { ToolError } from "../../tool/tool-error.ts";
import type { ResolvedCall } from "./call.ts";

/**
 * Puts a question to the person and waits for the answer. The call's own clock stands still meanwhile, and its place
 * among the calls that run at once is another's.
 */
export async function askPerson(call: ResolvedCall, question: Question): Promise<string> {
  const { log, redactor } = call.environment;
  const ask = call.request.onQuestion ?? call.environment.askPerson;
  if (ask === undefined) throw nobodyThere("there is nobody to ask here");
  log.note({ type: "question-asked", callId: call.id, ...(redactor.value(question) as Question) });
  call.deadline.pause();
  call.slot?.release();
  try {
    const given = await askInTime(question, { ask, signal: call.deadline.signal });
    const answer = checkAnswer(given, question);
    log.note({ type: "question-answered", callId: call.id, answer: redactor.text(answer) });
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

type Ask = NonNullable<ResolvedCall["environment"]["askPerson"]>;

/** Whoever is asked is told by the signal that the answer is no longer waited for, and cannot hold anybody up. */
async function askInTime(
  question: Question,
  { ask, signal }: { ask: Ask; signal: AbortSignal },
): Promise<unknown> {
  const waiting = new Deadline(signal);
  const { timeoutMs } = question;
  if (timeoutMs !== undefined) waiting.start(timeoutMs);
  try {
    return await waiting.race(Promise.resolve(ask(question, waiting.signal)));
  } catch (error) {
    if (error instanceof DeadlineReached && error === waiting.reason) throw unansweredInTime(error);
    throw error;
  } finally {
    waiting.close();
  }
}

/** An answer comes from outside: it may be none, or none of those that were asked for. */
function checkAnswer(given: unknown, { choices = [] }: Question): string {
  if (given === undefined || given === null) throw nobodyThere("no answer was given");
  const answer = String(given);
  if (choices.length === 0) return answer;
  const isMeant = (choice: string) => choice.toLowerCase() === answer.trim().toLowerCase();
  const choice = choices.find((each) => each === answer) ?? choices.find(isMeant);
  if (choice !== undefined) return choice;
  throw new ToolError("no-match", `the answer ${JSON.stringify(answer)} is none of ${choices.join(", ")}`, {
    hint: "Ask again, or ask without choices.",
    retryable: true,
  });
}

function nobodyThere(message: string): ToolError {
  return new ToolError("nobody-to-ask", message, {
    hint: "Go on without the answer, or say what is missing.",
  });
}

function unansweredInTime({ timeoutMs, cause }: DeadlineReached): ToolError {
  return new ToolError("timed-out", `nobody answered within ${timeoutMs} ms`, {
    hint: "Go on without the answer, or say what is missing.",
    cause,
  });
}
