import { setTimeout } from "node:timers/promises";
import { createKnownAgents, type KnownAgents } from "../../ask/known-agents.ts";
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

/** Asks the person on the terminal about calls and questions, while the screen stands still. */
export function createScreenAnswers(options: ScreenAnswersOptions): Answers & Pick<KnownAgents, "note"> {
  const { withTerminal, style, hungUp, interrupt } = options;
  const agents = createKnownAgents();
  /** The code that asks is loaded with the first question, because the first frame does not need it. */
  const load = async () => {
    const { createTerminalAnswers } = await import("../../ask/terminal-answers.ts");
    return createTerminalAnswers(withTerminal);
  };
  /** A terminal that is gone looks like a person who leaves. The question then stays, to be answered elsewhere. */
  const staysHere = (): Promise<void> =>
    setTimeout(hangUpMs, undefined, { signal: hungUp }).catch(() => Promise.withResolvers<void>().promise);
  const interruptHere = () => staysHere().then(interrupt);
  return {
    note: agents.note,
    async onApproval(request, signal) {
      const asking = agents.find(request.sessionId);
      return (await load()).decide(request, signal, { style, asking, onLeave: interruptHere });
    },
    decide: async (request, asking, signal) =>
      (await load()).decide(request, signal, { style, asking, onLeave: staysHere }),
    confirm: (text, question) =>
      withTerminal(async () => {
        const { confirmRows } = await import("../../ask/confirm.ts");
        return confirmRows(text, question);
      }),
    onQuestion: async (question, signal, from) => (await load()).onQuestion(question, signal, from),
  };
}

const hangUpMs = 50;
