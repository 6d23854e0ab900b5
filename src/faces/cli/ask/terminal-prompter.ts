import type { ApprovalHandler } from "../../../kernel/people/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import type { LiveLine } from "../terminal/live-line.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TypedLines } from "../terminal/typed-lines.ts";
import type { KnownAgents } from "./known-agents.ts";
import { readAnswer } from "./read-answer.ts";
import { createTerminalAnswers } from "./terminal-answers.ts";

interface PrompterParts {
  readonly session: Session;
  readonly output: CommandOutput;
  readonly screen: Screen;
  readonly live: LiveLine;
  readonly typed: TypedLines;
  readonly agents: KnownAgents;
  /** The person pressed Ctrl-C instead of answering. */
  onLeave(): void;
}

/** Asks the person at the terminal while an agent is working. */
export function createTerminalPrompter(parts: PrompterParts) {
  const { session, output, screen, live, typed, agents, onLeave } = parts;
  const withTerminal = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await screen.catchUp();
    return screen.keep(async () => {
      live.hide();
      typed.pause();
      try {
        return await work();
      } finally {
        typed.resume();
        live.show();
      }
    });
  };
  const { decide, onQuestion } = createTerminalAnswers(withTerminal);
  const onApproval: ApprovalHandler = async (request, signal) => {
    const find = () => agents.find(request.sessionId);
    // A sub-agent may ask before the display has seen the event of its start.
    if (request.sessionId !== session.id) await screen.untilShown(() => find() !== undefined, signal);
    return decide(request, signal, { asking: find(), style: output.styleMessage, onLeave });
  };
  return {
    /** For the agent: the person's decisions on its calls, and answers to its questions. */
    answers: { onApproval, onQuestion },
    /** Asks what to do next; undefined when the person wants to quit. */
    askMessage: (signal: AbortSignal) =>
      withTerminal(async () => {
        const message = await readAnswer("What now? (empty to quit) ", signal);
        return message?.trim() === "" ? undefined : message;
      }),
  };
}
