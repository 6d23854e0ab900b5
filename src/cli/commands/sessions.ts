import type { SessionParent, SessionRecord } from "../../runtime/store/store.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";
import type { Command } from "../command.ts";
import { formatColumns } from "../display/format-columns.ts";
import { formatTime } from "../display/format-time.ts";
import { exitCodes } from "../exit-code.ts";
import { checkSession, withStore } from "../open/with-store.ts";

export default {
  usage: "",
  minArguments: 0,
  maxArguments: 0,
  flags: [],
  example: "--json",
  note: `--json prints one object per line. --session shows only that session, and those of the agents it has spawned: these
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

interface SessionBranch {
  readonly session: SessionRecord;
  /** How many stand above it. */
  readonly depth: number;
}

/**
 * Sessions in their order, each with those of its agents below it, as they were spawned; of all sessions, or of one and
 * what is below that.
 */
function sessionTree(sessions: readonly SessionRecord[], top?: string): readonly SessionBranch[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const hasParent = ({ parent }: SessionRecord) => parent !== undefined && ids.has(parent.sessionId);
  const children = Map.groupBy(sessions.filter(hasParent), ({ parent }) => parent!.sessionId);
  const withThoseBelow = (session: SessionRecord, depth: number): SessionBranch[] => [
    { session, depth },
    ...(children.get(session.id) ?? [])
      .toSorted(byCreation)
      .flatMap((child) => withThoseBelow(child, depth + 1)),
  ];
  const tops = sessions.filter((session) => (top === undefined ? !hasParent(session) : session.id === top));
  return tops.flatMap((session) => withThoseBelow(session, 0));
}

function byCreation({ createdAt: one }: SessionRecord, { createdAt: other }: SessionRecord): number {
  return one < other ? -1 : Number(one > other);
}

function toRow({ session, depth }: SessionBranch): string[] {
  const { id, openedAt, closedAt, calls, workspace, parent } = session;
  const place = depth === 0 ? "" : `${"  ".repeat(depth - 1)}└ `;
  const closed = closedAt === undefined ? "open" : formatTime(closedAt);
  return [
    `${place}${escapeLine(id)}`,
    formatTime(openedAt),
    closed,
    String(calls),
    // An agent works where its parent does, or in a worktree that goes when it ends.
    parent === undefined ? escapeLine(workspace) : describeAgent(parent),
  ];
}

function describeAgent({ agentId, title, kind }: SessionParent): string {
  const about = `${escapeLine(agentId)} ${escapeLine(title)}`;
  return kind === undefined ? about : `${about} (${escapeLine(kind)})`;
}
