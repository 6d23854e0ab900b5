import type { SessionParent } from "../../runtime/store/store.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";
import { checkSession } from "../check-session.ts";
import type { Command } from "../command.ts";
import { formatColumns } from "../display/format-columns.ts";
import { formatTime } from "../display/format-time.ts";
import { type SessionBranch, sessionTree } from "../display/session-tree.ts";
import { exitCodes } from "../exit-code.ts";
import { withStore } from "../with-store.ts";

export default {
  usage: "",
  minArguments: 0,
  maxArguments: 0,
  flags: [],
  example: "--json",
  note: `--json prints one object per line. --session shows only that session, and those of the agents it has sent off: these
stand below it, and have it as their parent in JSON.`,

  async run({ flags, output }) {
    const all = await withStore(flags, async (store) => {
      await checkSession(flags.session, store);
      return store.listSessions();
    });
    const branches = sessionTree(all, flags.session);
    if (flags.json)
      await output.write(branches.map(({ session }) => `${JSON.stringify(session)}\n`).join(""));
    else if (branches.length === 0) await output.tell("there are no sessions yet");
    else {
      const hasAgents = branches.some(({ session }) => session.parent !== undefined);
      const headings = ["id", "opened", "closed", "calls", hasAgents ? "workspace or agent" : "workspace"];
      const rows = [headings.map((heading) => output.style("bold", heading)), ...branches.map(toRow)];
      await output.write(`${await formatColumns(rows)}\n`);
    }
    return exitCodes.done;
  },
} satisfies Command;

function toRow({ session, depth }: SessionBranch): string[] {
  const { id, openedAt, closedAt, calls, workspace, parent } = session;
  const place = depth === 0 ? "" : `${"  ".repeat(depth - 1)}└ `;
  const closed = closedAt === undefined ? "open" : formatTime(closedAt);
  return [
    `${place}${escapeLine(id)}`,
    formatTime(openedAt),
    closed,
    String(calls),
    // An agent works where its sender does, or in a worktree that goes when it ends.
    parent === undefined ? escapeLine(workspace) : describeAgent(parent),
  ];
}

function describeAgent({ agentId, title, kind }: SessionParent): string {
  const about = `${escapeLine(agentId)} ${escapeLine(title)}`;
  return kind === undefined ? about : `${about} (${escapeLine(kind)})`;
}
