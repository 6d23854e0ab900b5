import { isatty } from "node:tty";
import type { RuntimeOptions } from "../../../kernel/runtime/runtime-options.ts";
import type { Session } from "../../../kernel/runtime/session.ts";
import { createLock } from "../../../shared/lock.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { isAttended } from "../ask/is-attended.ts";
import { describeCallInLine, summarize } from "../display/describe-call.ts";
import { type CommandOutput, surviveTerminalClose } from "../terminal/command-output.ts";

/** Shows the person at the terminal what clients do, and asks them where a client cannot ask. */
export interface ClientWatch {
  /** For the runtime: answers to the calls of clients that cannot ask their own person. */
  readonly answers: Pick<RuntimeOptions, "onApproval" | "onQuestion">;
  watch(client: string, served: { readonly session: Session; readonly workspace: string }): void;
}

export async function watchClients(output: CommandOutput): Promise<ClientWatch> {
  const keepScreen = createLock();
  if (isatty(2)) surviveTerminalClose();
  const show = async (client: string, { session, workspace }: { session: Session; workspace: string }) => {
    const { styleMessage: style } = output;
    const name = style("dim", client);
    for await (const event of session.events({ since: await session.bookmark() })) {
      const maxColumns = (output.messageColumns() ?? wideColumns) - client.length - 1;
      if (event.type === "call-end") {
        const line = describeCallInLine(event, { style, workspace, maxColumns });
        await keepScreen(() => output.tell(`${name} ${line}`));
      } else if (event.type === "approval-request") {
        const about = `${escapeLine(event.tool)} ${summarize(event.input, workspace)}`;
        await keepScreen(() => output.tell(`${name} ${style("yellow", "?")} ${about}: needs approval`));
      }
    }
  };
  return {
    answers: (await isAttended())
      ? (await import("../ask/answer-one-at-a-time.ts")).answerOneAtATime(keepScreen)
      : {},
    watch(client, served) {
      // A line that cannot be shown does no harm; the log has it.
      show(client, served).catch(() => {});
    },
  };
}

const wideColumns = 120;
