import type { CallRequest } from "../../../kernel/call/index.ts";
import type { ApprovalHandler } from "../../../kernel/people/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import { formatDiff } from "../display/describe-call.ts";
import { screenColumns } from "../display/format-columns.ts";
import type { CommandOutput } from "../terminal/command-output.ts";
import type { LiveLine } from "../terminal/live-line.ts";
import type { Screen } from "../terminal/screen.ts";
import type { TypedLines } from "../terminal/typed-lines.ts";
import { askApproval } from "./ask-approval.ts";
import { askAtTerminal } from "./ask-at-terminal.ts";
import type { KnownAgents } from "./known-agents.ts";
import { readAnswer } from "./read-answer.ts";

/** Asks the person at the terminal while an agent is working. */
export interface TerminalPrompter {
  readonly onApproval: ApprovalHandler;
  readonly onQuestion: NonNullable<CallRequest["onQuestion"]>;
  /** Asks what to do next; undefined when the person wants to quit. */
  askMessage(signal: AbortSignal): Promise<string | undefined>;
}

export function createTerminalPrompter({
  session,
  output,
  screen,
  live,
  typed,
  agents,
  onLeave,
}: {
  session: Session;
  output: CommandOutput;
  screen: Screen;
  live: LiveLine;
  typed: TypedLines;
  agents: KnownAgents;
  /** The person pressed Ctrl-C instead of answering. */
  onLeave: () => void;
}): TerminalPrompter {
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

  return {
    async onApproval(request, signal) {
      const { sessionId } = request;
      const isChild = sessionId !== session.id;
      // A sub-agent may ask before the display has seen the event of its start.
      if (isChild) await screen.untilShown(() => agents.find(sessionId) !== undefined, signal);
      return withTerminal(async () => {
        // The agent may have been interrupted while this request waited for its turn.
        if (signal.aborted) return "deny";
        const asking = isChild ? agents.find(sessionId) : undefined;
        return askApproval(request, signal, {
          preview: formatDiff(request.preview ?? "", output.styleMessage, {
            maxColumns: screenColumns() - 1,
          }),
          asking,
          onLeave,
        });
      });
    },
    onQuestion: (question, signal, from) =>
      withTerminal(async () => {
        signal.throwIfAborted();
        return askAtTerminal(question, signal, from);
      }),
    askMessage: (signal) =>
      withTerminal(async () => {
        const message = await readAnswer("What now? (empty to quit) ", signal);
        return message?.trim() === "" ? undefined : message;
      }),
  };
}
