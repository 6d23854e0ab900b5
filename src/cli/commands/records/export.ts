import { exportLog } from "../../../runtime/store/exported-log.ts";
import { verifyChain } from "../../../runtime/store/verify-chain.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { Command } from "../../command.ts";
import { exitCodes } from "../../exit-code.ts";
import { checkSession, withStore } from "../../open/with-store.ts";

export default {
  usage: "<session>",
  minArguments: 1,
  maxArguments: 1,
  flags: [],
  example: "cli",
  note: "Prints the session's log with its chain of hashes, as JSON lines. Secrets are masked as in the log; variables are left out.",

  async run({ arguments: [id = ""], flags, output }) {
    return withStore(flags, async (store) => {
      await checkSession(id, store);
      for await (const line of exportLog(store, id)) await output.write(`${line}\n`);
      const { broken } = await verifyChain(store, id);
      if (broken === undefined) return exitCodes.done;
      await output.tell(`the log is broken at event ${broken.sequence}: ${escapeLine(broken.reason)}`);
      return exitCodes.failed;
    });
  },
} satisfies Command;
