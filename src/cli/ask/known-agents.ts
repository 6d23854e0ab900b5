import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";

/** The sub-agents of the session, at any depth, as learned from its log. */
export interface KnownAgents {
  note(event: LoggedEvent): void;
  find(sessionId: string): KnownAgent | undefined;
}

interface KnownAgent {
  /** The id and title, ready to be printed. */
  readonly name: string;
  readonly hasWorktree: boolean;
}

export function createKnownAgents(): KnownAgents {
  const agents = new Map<string, KnownAgent>();
  const note = (event: LoggedEvent): void => {
    if (event.type === "subagent-event") note(event.event);
    if (event.type !== "subagent-start") return;
    const { childSessionId, subagentId, title, mode } = event;
    // A model wrote the title; it must not close the parentheses around it.
    const name = `${subagentId} (${escapeLine(title.replace(/[()]/g, ""))})`;
    agents.set(childSessionId, { name, hasWorktree: mode === "worktree" });
  };
  return { note, find: (sessionId) => agents.get(sessionId) };
}
