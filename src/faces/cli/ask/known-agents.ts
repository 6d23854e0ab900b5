import type { LoggedEvent } from "../../../kernel/events/session-event.ts";
import { quotedAgent } from "../../../tool/caller.ts";

/** The sub-agents of the session, at any depth, as learned from its log. */
export interface KnownAgents {
  note(event: LoggedEvent): void;
  find(sessionId: string): KnownAgent | undefined;
}

interface KnownAgent {
  /** The name that is shown to people. */
  readonly name: string;
  /** The task that its parent's model gave it. */
  readonly task: string;
}

export function createKnownAgents(): KnownAgents {
  const agents = new Map<string, KnownAgent>();
  const note = (event: LoggedEvent): void => {
    if (event.type === "subagent-event") note(event.event);
    if (event.type !== "subagent-start") return;
    const { childSessionId, subagentId, title } = event;
    agents.set(childSessionId, { name: quotedAgent(subagentId), task: title });
  };
  return { note, find: (sessionId) => agents.get(sessionId) };
}
