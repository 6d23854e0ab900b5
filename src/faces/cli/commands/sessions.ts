import { describeOwner, readSessionStates, type SessionState } from "../../../kernel/session/index.ts";
import type { SessionParent, SessionRecord } from "../../../kernel/store/index.ts";
import { escapeLine } from "../../../shared/text/escape-controls.ts";
import type { Command } from "../command.ts";
import { formatColumns } from "../display/format-columns.ts";
import { formatTime } from "../display/format-time.ts";
import { checkSession, withStore } from "../open/with-store.ts";

export default {
  example: "--json",
  note: `--json prints one object per line. --session shows only that session and those of its sub-agents, which are listed below
it and name it as their parent in JSON. A session is running or waiting for approval in the process that is named, or
dead if its process ended without closing it.`,

  async run({ flags, output }) {
    const all = await withStore(flags, async (store) => {
      await checkSession(flags.session, store);
      const sessions = await store.listSessions();
      const states = await readSessionStates(store, sessions);
      return sessions.map((session, index) => ({ ...session, state: states[index]! }));
    });
    const branches = sessionTree(all, flags.session);
    if (flags.json) await output.writeJsonLines(branches.map(({ session }) => session));
    else if (branches.length === 0) await output.tell("no sessions yet");
    else {
      const hasAgents = branches.some(({ session }) => session.parent !== undefined);
      const headings = ["id", "opened", "state", "calls", hasAgents ? "workspace or agent" : "workspace"];
      const rows = [headings.map((heading) => output.style("bold", heading)), ...branches.map(toRow)];
      await output.write(`${await formatColumns(rows)}\n`);
    }
  },
} satisfies Command;

type ListedSession = SessionRecord & { readonly state: SessionState };
/** A session with the number of its ancestors. */
type SessionBranch = { readonly session: ListedSession; readonly depth: number };

/**
 * Sessions in the given order, each followed by those of its sub-agents in the order they were spawned. With `top`, only
 * that session and its descendants.
 */
function sessionTree(sessions: readonly ListedSession[], top?: string): readonly SessionBranch[] {
  const ids = new Set(sessions.map(({ id }) => id));
  const hasParent = ({ parent }: SessionRecord) => parent !== undefined && ids.has(parent.sessionId);
  const children = Map.groupBy(sessions.filter(hasParent), ({ parent }) => parent!.sessionId);
  const withDescendants = (session: ListedSession, depth: number): SessionBranch[] => [
    { session, depth },
    ...(children.get(session.id) ?? [])
      .toSorted(byCreation)
      .flatMap((child) => withDescendants(child, depth + 1)),
  ];
  const tops = sessions.filter((session) => (top === undefined ? !hasParent(session) : session.id === top));
  return tops.flatMap((session) => withDescendants(session, 0));
}

function byCreation({ createdAt: one }: SessionRecord, { createdAt: other }: SessionRecord): number {
  return one < other ? -1 : Number(one > other);
}

function toRow({ session, depth }: SessionBranch): string[] {
  const { id, openedAt, calls, workspace, parent } = session;
  const place = depth === 0 ? "" : `${"  ".repeat(depth - 1)}└ `;
  return [
    `${place}${escapeLine(id)}`,
    formatTime(openedAt),
    describeState(session),
    String(calls),
    // A sub-agent's workspace says little: it is its parent's, or a worktree that is removed when it ends.
    parent === undefined ? escapeLine(workspace) : describeAgent(parent),
  ];
}

function describeState({ state, owner, closedAt }: ListedSession): string {
  if (state === "closed" && closedAt !== undefined) return `closed ${formatTime(closedAt)}`;
  return owner === undefined ? state : `${state} (${escapeLine(describeOwner(owner))})`;
}

function describeAgent({ agentId, title, kind }: SessionParent): string {
  const about = `${escapeLine(agentId)} ${escapeLine(title)}`;
  return kind === undefined ? about : `${about} (${escapeLine(kind)})`;
}
