import { countOf } from "../../../shared/text/count-of.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { type Command, exitCodes } from "../command.ts";
import { asUsage } from "../open/as-usage.ts";
import { optionsFromFlags } from "../open/options-from-flags.ts";
import { withRuntime } from "../open/with-runtime.ts";
import { currentPerson } from "../terminal/current-person.ts";

export default {
  usage: "[<callId>]",
  arguments: [0, 1],
  isForPerson: true,
  example: "--session session_mwhh8ll2baa401025333",
  note: "Cancels one call of the session that --session names, or all calls and agents that run in it, whichever process they are in. The session stays open.",

  async run({ arguments: [callId], flags, output }) {
    const { session: id = "cli" } = flags;
    const given = await optionsFromFlags(flags);
    const options = { ...given, mcpStart: "when-needed", caller: currentPerson() } as const;
    return withRuntime(options, async (runtime) => {
      const remote = await asUsage(() => runtime.remoteSession(id));
      const cancelled = await remote.cancel(callId);
      const where = `in session ${escapeLine(id)}`;
      const missing = callId === undefined ? "nothing runs" : `no call ${escapeLine(callId)} runs`;
      const done = cancelled === 0 ? missing : `cancelled ${countOf(cancelled, "call")}`;
      await (flags.json ? output.writeJson({ session: id, cancelled }) : output.tell(`${done} ${where}`));
      return cancelled === 0 ? exitCodes.failed : exitCodes.done;
    });
  },
} satisfies Command;
