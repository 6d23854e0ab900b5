import type { ApprovalDecision, ApprovalRequest } from "../../../kernel/people/index.ts";
import type { createLock } from "../../../shared/lock.ts";
import type { QuestionHandler } from "../../../tool/services/question.ts";
import type { ApprovalView } from "./ask-approval.ts";

/**
 * Lets the person at the terminal decide on calls and answer questions; `hold` keeps the terminal for one of them at a time.
 * The code that asks is loaded with the first question.
 */
export function createTerminalAnswers(hold: ReturnType<typeof createLock>) {
  const decide = (
    request: ApprovalRequest,
    signal: AbortSignal,
    view?: ApprovalView,
  ): Promise<ApprovalDecision> =>
    hold(async () => {
      // A request that was cancelled while it waited for its turn is not shown any more.
      if (signal.aborted) return { decision: "deny" };
      const { askApproval } = await import("./ask-approval.ts");
      return askApproval(request, signal, view);
    });
  const onQuestion: QuestionHandler = (question, signal, from) =>
    hold(async () => {
      signal.throwIfAborted();
      const { askAtTerminal } = await import("./ask-at-terminal.ts");
      return askAtTerminal(question, signal, from);
    });
  return { decide, onQuestion };
}
