import { setTimeout } from "node:timers/promises";
import type { ApprovalDecision, ApprovalRequest } from "../../../../kernel/people/index.ts";
import type { ApprovalView } from "../../ask/ask-approval.ts";
import { createKnownAgents, type KnownAgents } from "../../ask/known-agents.ts";
import { formatDiff } from "../../display/describe-call.ts";
import { screenColumns } from "../../display/format-columns.ts";
import type { CommandOutput } from "../../terminal/command-output.ts";
import type { TalkView } from "../talk-view.ts";
import type { ScreenQuestions } from "./screen-questions.ts";

type Answers = Pick<TalkView, "decide" | "confirm" | "onApproval" | "onQuestion">;

export interface ScreenAnswersOptions extends Pick<ScreenQuestions, "withTerminal"> {
  readonly style: CommandOutput["style"];
  /** The terminal is gone. */
  readonly hungUp: AbortSignal;
  /** The person has left a call without an answer. */
  interrupt(): void;
}

/**
 * Asks the person on the terminal about calls and questions, while the screen stands still. The code that asks is loaded with
 * the first question, because the first frame does not need it.
 */
export function createScreenAnswers({
  withTerminal,
  style,
  hungUp,
  interrupt,
}: ScreenAnswersOptions): Answers & Pick<KnownAgents, "note"> {
  const agents = createKnownAgents();
  const ask = (
    request: ApprovalRequest,
    signal: AbortSignal,
    view: Pick<ApprovalView, "asking" | "onLeave">,
  ): Promise<ApprovalDecision> =>
    withTerminal(async () => {
      if (signal.aborted) return { decision: "deny" };
      const { askApproval } = await import("../../ask/ask-approval.ts");
      const preview = formatDiff(request.preview ?? "", style, { maxColumns: screenColumns() - 1 });
      let hasLeft = false;
      const onLeave = () => {
        hasLeft = true;
      };
      try {
        return await askApproval(request, signal, { asking: view.asking, preview, onLeave });
      } finally {
        if (hasLeft) await staysHere();
        if (hasLeft) view.onLeave?.();
      }
    });
  /** A terminal that is gone looks like a person who leaves. The question then stays, to be answered elsewhere. */
  const staysHere = (): Promise<unknown> =>
    setTimeout(hangUpMs, undefined, { signal: hungUp }).catch(() => Promise.withResolvers().promise);
  return {
    note: agents.note,
    onApproval: (request, signal) =>
      ask(request, signal, { asking: agents.find(request.sessionId), onLeave: interrupt }),
    decide: (request, asking, signal) => ask(request, signal, { asking }),
    confirm: (text, question) =>
      withTerminal(async () => {
        const { confirmRows } = await import("../../ask/confirm.ts");
        return confirmRows(text, question);
      }),
    onQuestion: (question, signal, from) =>
      withTerminal(async () => {
        signal.throwIfAborted();
        const { askAtTerminal } = await import("../../ask/ask-at-terminal.ts");
        return askAtTerminal(question, signal, from);
      }),
  };
}

const hangUpMs = 50;
