import type { OpenedSession, Session, SessionOptions } from "../open-session.ts";
import type { ToolFilter } from "../runtime/tool-search/tool-filter.ts";
import { type Agent, createAgent } from "./agent.ts";
import type { AgentHost } from "./agent-host.ts";
import type { AgentOptions } from "./agent-options.ts";

export interface SessionAgentOptions extends AgentOptions {
  /** The conversation it works in, or how to open it; a new one unless told. */
  readonly session?: Session | SessionOptions;
  /** The only tools it may use: names in any dialect, and patterns such as `mcp__github__*`. All of them unless told. */
  readonly tools?: readonly string[];
}

/** An agent of a runtime. */
export interface SessionAgent extends Agent {
  /** Where its events, receipts and tools are. */
  session(): Promise<Session>;
}

export interface AgentRuntime {
  /** Gives an open session again, and opens any other. */
  open(options: SessionOptions): Promise<OpenedSession>;
  /** Throws where a name means nothing. */
  filterTools(names: readonly string[]): ToolFilter;
}

export function openAgent(
  { session: given = {}, tools, ...options }: SessionAgentOptions,
  { open, filterTools }: AgentRuntime,
): SessionAgent {
  const allows = tools && filterTools(tools);
  let opening: Promise<OpenedSession> | undefined;
  const session = (): Promise<OpenedSession> => {
    opening ??= open("callAll" in given ? { id: given.id } : given).catch((error: unknown) => {
      // Whatever stood in the way may be gone the next time.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const openHost = async (): Promise<AgentHost> =>
    (await session()).agentHost({ options, ...(allows && { allows }) });
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
