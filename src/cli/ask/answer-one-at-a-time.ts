import type { CallOptions } from "../../open-session.ts";
import { createLock } from "../../shared/lock.ts";
import { withAsker } from "../../tool/services/question.ts";
import { askApproval } from "./ask-approval.ts";
import { askAtTerminal } from "./ask-at-terminal.ts";

/** Lets the person at the terminal answer: several things may be asked at the same time, and there is one terminal. */
export function answerOneAtATime(): Required<Pick<CallOptions, "onApproval" | "onQuestion">> {
  const oneAtATime = createLock();
  return {
    // What was given up while it waited for its turn is not put any more.
    onApproval: (request, signal) =>
      oneAtATime(async () => (signal.aborted ? "deny" : askApproval(request, signal))),
    onQuestion: (question, signal, from) =>
      oneAtATime(async () => {
        signal.throwIfAborted();
        return askAtTerminal(withAsker(question, from), signal);
      }),
  };
}
