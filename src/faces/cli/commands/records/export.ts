import { readConversation } from "../../../../kernel/session/index.ts";
import { exportLog, verifyChain } from "../../../../kernel/store/index.ts";
import { escapeLine } from "../../../../shared/text/escape-controls.ts";
import { type Command, exitCodes, UsageError } from "../../command.ts";
import { checkSession, withStore } from "../../open/with-store.ts";
import { conversationItems } from "../../talk/export/conversation-items.ts";
import { conversationFormats } from "../../talk/export/format-conversation.ts";

export default {
  usage: "<session>",
  arguments: [1, 1],
  flags: ["md", "html"],
  example: "cli",
  note: "Prints the session's log with its chain of hashes, as JSON lines. Secrets are masked as in the log; variables are left out. --md and --html print the conversation instead, for people to read.",

  async run({ arguments: [id = ""], flags, output }) {
    return withStore(flags, async (store) => {
      await checkSession(id, store);
      if (flags.md && flags.html) throw new UsageError("--md and --html exclude each other; give only one");
      if (flags.md || flags.html) {
        const format = conversationFormats[flags.md ? "md" : "html"];
        await output.write(format.heading(`Session ${id}`));
        for await (const item of conversationItems(readConversation(store, id)))
          await output.write(format.item(item));
        return exitCodes.done;
      }
      for await (const line of exportLog(store, id)) await output.write(`${line}\n`);
      const { broken } = await verifyChain(store, id);
      if (broken === undefined) return exitCodes.done;
      await output.tell(`the log is broken at event ${broken.sequence}: ${escapeLine(broken.reason)}`);
      return exitCodes.failed;
    });
  },
} satisfies Command;
