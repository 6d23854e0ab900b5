import { type Agent, createAgent } from "./agent/agent.ts";
import type { AgentHost } from "./agent/agent-host.ts";
import type { AgentOptions } from "./agent/agent-options.ts";
import type { OpenedSession, Session, SessionOptions } from "./open-session.ts";

export interface SessionAgentOptions extends AgentOptions {
  /** The conversation it works in, or how to open it; a new one unless told. */
  readonly session?: Session | SessionOptions;
}

/** An agent of a runtime. */
export interface SessionAgent extends Agent {
  /** Where its events, receipts and tools are. */
  session(): Promise<Session>;
}

/** `open` gives an open session again, and opens any other. */
export function openAgent(
  { session: given = {}, ...options }: SessionAgentOptions,
  open: (options: SessionOptions) => Promise<OpenedSession>,
): SessionAgent {
  let opening: Promise<OpenedSession> | undefined;
  const session = (): Promise<OpenedSession> => {
    opening ??= open("callAll" in given ? { id: given.id } : given);
    return opening;
  };
  const openHost = async (): Promise<AgentHost> => (await session()).agentHost;
  const agent = createAgent(options, openHost);
  const { run, send, interrupt } = agent;
  return {
    session,
    run,
    send,
    interrupt,
    get isWorking() {
      return agent.isWorking;
    },
  };
}
