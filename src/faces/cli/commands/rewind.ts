import type { Session } from "../../../kernel/runtime/index.ts";
import { countOf } from "../../../shared/text/count-of.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import { oneLine } from "../../../shared/text/one-line.ts";
import { type Command, type Invocation, UsageError } from "../command.ts";
import { describeStart } from "../display/describe-call.ts";
import { formatColumns } from "../display/format-columns.ts";
import { formatTime } from "../display/format-time.ts";
import { personOptions, withSession } from "../open/with-session.ts";
import { checkSession, withStore } from "../open/with-store.ts";
import { readPositiveInteger } from "../read-values.ts";

export default {
  usage: "<session> [<message>]",
  arguments: [1, 2],
  flags: ["only", "dry-run"],
  isForPerson: true,
  example: "session_mwhh8ll2baa401025333 17 --dry-run",
  note: `Without a message, lists those that the conversation can be taken back to, each with its number. All files that were
changed since are restored, or nothing is rewound. What commands changed is not recorded, and stays. The log keeps
everything. To try another way beside it, go on in a copy: toolwright run --fork --resume <session> "…".`,

  async run(invocation) {
    const { arguments: given, flags, output } = invocation;
    const [id = "", message] = given;
    const { only } = flags;
    if (only !== undefined && only !== "conversation" && only !== "files")
      throw new UsageError("--only is conversation or files");
    const before = message === undefined ? undefined : readPositiveInteger("the message", message);
    await withStore(flags, (store) => checkSession(id, store));
    const options = await personOptions(flags);
    await withSession(options, { ...flags, session: id }, async (session, { workspace }) => {
      if (before === undefined) return listMessages(session, invocation);
      const dryRun = flags["dry-run"] === true;
      const result = await session.rewind(before, {
        files: only !== "conversation",
        conversation: only !== "files",
        dryRun,
      });
      if (flags.json) await output.writeJson(result);
      else {
        for (const receipt of result.others)
          await output.tell(`cannot be undone: ${describeStart(receipt, workspace)}`);
        const files = countOf(result.paths.length, "file");
        await output.tell(`${dryRun ? "would restore" : "restored"} ${files}`);
        for (const path of result.paths) await output.tell(`  ${escapeLine(path)}`);
      }
    });
  },
} satisfies Command;

async function listMessages(session: Session, { flags, output }: Invocation): Promise<void> {
  const messages = await session.messages();
  if (flags.json) await output.writeJsonLines(messages);
  else if (messages.length === 0) await output.tell("the conversation has no messages");
  else {
    const rows = messages.map(({ sequence, at, text }) => [
      String(sequence),
      formatTime(at),
      oneLine(text, maxText),
    ]);
    await output.write(`${await formatColumns([["message", "at", "text"], ...rows])}\n`);
  }
}

const maxText = 100;
