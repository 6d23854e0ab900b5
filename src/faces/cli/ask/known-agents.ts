import type { LoggedEvent } from "../../../kernel/events/index.ts";
import { quotedAgent } from "../../../tool/caller.ts";

export type KnownAgents = ReturnType<typeof createKnownAgents>;

/** Learns a session's sub-agents, at any depth, from its log: their names for people, and the tasks that models gave them. */
export function createKnownAgents() {
  const agents = new Map<string, { readonly name: string; readonly task: string }>();
  const note = (event: LoggedEvent): void => {
    if (event.type === "subagent-event") note(event.event);
    if (event.type !== "subagent-start") return;
    const { childSessionId, subagentId, title } = event;
    agents.set(childSessionId, { name: quotedAgent(subagentId), task: title });
  };
  return { note, find: (sessionId: string) => agents.get(sessionId) };
}
