import type { Approvals } from "../../../kernel/people/index.ts";
import type { Deadline } from "../../../shared/deadline.ts";
import type { QuestionHandler } from "../../../tool/services/question.ts";

type Clock = Pick<Deadline, "pause" | "resume">;

/** Pauses the timeout of the call that waits for a sub-agent while the sub-agent waits for a person. */
export function pausingApprovals(approvals: Approvals, clock: Clock): Approvals {
  const waiting = new Set<string>();
  const end = (id: string) => {
    if (waiting.delete(id)) clock.resume();
  };
  return {
    ...approvals,
    isAnswered: approvals.isAnswered,
    get stops() {
      return approvals.stops;
    },
    request(details, options) {
      const asked = approvals.request(details, options);
      waiting.add(asked.id);
      clock.pause();
      return { ...asked, decision: asked.decision.finally(() => end(asked.id)) };
    },
    withdraw(id) {
      end(id);
      approvals.withdraw(id);
    },
  };
}

export function pausingQuestions(handler: QuestionHandler, clock: Clock): QuestionHandler {
  return async (question, signal, from) => {
    clock.pause();
    try {
      return await handler(question, signal, from);
    } finally {
      clock.resume();
    }
  };
}
