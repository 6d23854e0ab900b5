import { openRuntime } from "../../../open-runtime.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { asUsage } from "../open/as-usage.ts";
import { optionsFromFlags } from "../open/options-from-flags.ts";
import { currentPerson } from "../terminal/current-person.ts";

export default {
  usage: "[<callId>]",
  minArguments: 0,
  maxArguments: 1,
  flags: [],
  isForPerson: true,
  example: "--session session_mwhh8ll2baa401025333",
  note: "Cancels one call of the session that --session names, or all calls and agents that run in it, whichever process they are in. The session stays open.",

  async run({ arguments: [callId], flags, output }) {
    const { session: id = "cli" } = flags;
    const options = {
      ...(await optionsFromFlags(flags)),
      mcpStart: "when-needed",
      caller: currentPerson(),
    } as const;
    const runtime = await asUsage(() => openRuntime(options));
    try {
      const remote = await asUsage(() => runtime.remoteSession(id));
      const cancelled = await remote.cancel(callId);
      const where = `in session ${escapeLine(id)}`;
      const missing = callId === undefined ? "nothing runs" : `no call ${escapeLine(callId)} runs`;
      if (flags.json) await output.write(`${JSON.stringify({ session: id, cancelled })}\n`);
      else
        await output.tell(
          cancelled === 0 ? `${missing} ${where}` : `cancelled ${countOf(cancelled, "call")} ${where}`,
        );
      return cancelled === 0 ? exitCodes.failed : exitCodes.done;
    } finally {
      await runtime.close();
    }
  },
} satisfies Command;
