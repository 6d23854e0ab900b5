import type { CallOptions } from "../../../kernel/runtime/session.ts";
import { createLock } from "../../../shared/lock.ts";
import { askApproval } from "./ask-approval.ts";
import { askAtTerminal } from "./ask-at-terminal.ts";

/** Asks the person at the terminal one thing at a time, even when several calls ask at once. */
export function answerOneAtATime(
  oneAtATime = createLock(),
): Required<Pick<CallOptions, "onApproval" | "onQuestion">> {
  return {
    // A request that was cancelled while it waited for its turn is not shown any more.
    onApproval: (request, signal) =>
      oneAtATime(async () => (signal.aborted ? "deny" : askApproval(request, signal))),
    onQuestion: (question, signal, from) =>
      oneAtATime(async () => {
        signal.throwIfAborted();
        return askAtTerminal(question, signal, from);
      }),
  };
}
