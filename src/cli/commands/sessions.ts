import type { SessionRecord } from "../../runtime/store/store.ts";
import { escapeLine } from "../../shared/escape-controls.ts";
import { checkSession } from "../check-session.ts";
import type { Command } from "../command.ts";
import { exitCodes } from "../exit-code.ts";
import { formatColumns } from "../format-columns.ts";
import { formatTime } from "../format-time.ts";
import { withStore } from "../with-store.ts";

export default {
  usage: "",
  minArguments: 0,
  maxArguments: 0,
  flags: [],
  example: "--json",
  note: "--json prints one object per line.",

  async run({ flags, output }) {
    const all = await withStore(flags, async (store) => {
      await checkSession(flags.session, store);
      return store.listSessions();
    });
    const sessions = flags.session === undefined ? all : all.filter(({ id }) => id === flags.session);
    if (flags.json) await output.write(sessions.map((session) => `${JSON.stringify(session)}\n`).join(""));
    else if (sessions.length === 0) await output.tell("there are no sessions yet");
    else {
      const headings = ["id", "opened", "closed", "calls", "workspace"];
      const rows = [headings.map((heading) => output.style("bold", heading)), ...sessions.map(toRow)];
      await output.write(`${await formatColumns(rows)}\n`);
    }
    return exitCodes.done;
  },
} satisfies Command;

function toRow({ id, openedAt, closedAt, calls, workspace }: SessionRecord): string[] {
  const closed = closedAt === undefined ? "open" : formatTime(closedAt);
  return [escapeLine(id), formatTime(openedAt), closed, String(calls), escapeLine(workspace)];
}
