import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import { escapeLine } from "../../shared/text/escape-controls.ts";

/** Who the agents are that were spawned, also by one another; by what the log tells of them. */
export interface KnownAgents {
  note(event: LoggedEvent): void;
  find(sessionId: string): KnownAgent | undefined;
}

interface KnownAgent {
  /** Its id and what it was spawned for. */
  readonly name: string;
  readonly isElsewhere: boolean;
}

export function createKnownAgents(): KnownAgents {
  const agents = new Map<string, KnownAgent>();
  const note = (event: LoggedEvent): void => {
    if (event.type === "subagent-event") note(event.event);
    if (event.type !== "subagent-start") return;
    const { childSessionId, subagentId, title, mode } = event;
    // Its title is a model's, and must not end what it stands in.
    const name = `${subagentId} (${escapeLine(title.replace(/[()]/g, ""))})`;
    agents.set(childSessionId, { name, isElsewhere: mode === "worktree" });
  };
  return { note, find: (sessionId) => agents.get(sessionId) };
}
