import { askHooks, tellHooks } from "../../kernel/call/hooks/event-hooks.ts";
import type { EventHook } from "../../kernel/call/hooks/hooks.ts";
import type { OpenedSession, Session, SessionOptions } from "../../kernel/runtime/session.ts";
import type { ToolFilter } from "../../kernel/tool-search/tool-filter.ts";
import { foreign, knownKeys, type Shape, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { type Agent, createAgent } from "./agent.ts";
import { type AgentOptions, agentKeyTable } from "./agent-options.ts";
import type { AgentHost } from "./host/agent-host.ts";
import { readUserMessage } from "./user-message.ts";

export interface SessionAgentOptions extends AgentOptions {
  /** The session it works in, or how to open it. Default: a new one. */
  readonly session?: Session | SessionOptions;
  /** The only tools it may use: names in any dialect, and patterns such as `mcp__github__*`. Default: all of them. */
  readonly tools?: readonly string[];
}

export const sessionAgentKeys = knownKeys<SessionAgentOptions>({
  ...agentKeyTable,
  session: foreign,
  tools: value,
});

/** An agent of a runtime. */
export interface SessionAgent extends Agent {
  /** The session that has its events, receipts and tools. */
  session(): Promise<Session>;
}

export interface AgentRuntime {
  /** Returns the session if it is open already, and opens it otherwise. */
  open(options: SessionOptions, model: string): Promise<OpenedSession>;
  /** Throws if a name matches no tool. */
  filterTools(names: readonly string[]): ToolFilter;
  readonly eventHooks: () => readonly EventHook[];
  /** Masks secrets in a text. */
  mask(text: string): string;
  /** The keys of the options of a session. */
  readonly sessionKeys: Shape;
}

export function openAgent(
  agentOptions: SessionAgentOptions,
  { open, filterTools, sessionKeys, eventHooks, mask }: AgentRuntime,
): SessionAgent {
  refuseUnknownKeys(agentOptions, sessionAgentKeys, "agent");
  const { session: given = {}, tools, ...options } = agentOptions;
  if (!isSession(given)) refuseUnknownKeys(given, sessionKeys, "agent: session");
  const allows = tools && filterTools(tools);
  const modelName = typeof options.model === "string" ? options.model : (options.model?.modelId ?? "");
  let opening: Promise<OpenedSession> | undefined;
  const session = (): Promise<OpenedSession> => {
    opening ??= open(isSession(given) ? { id: given.id } : given, modelName).catch((error: unknown) => {
      // The cause may be gone next time.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const openHost = async (): Promise<AgentHost> =>
    (await session()).agentHost({ options, ...(allows && { allows }) });
  const agent = createAgent(options, openHost);
  const { interrupt, compact, followUp } = agent;
  const admit = async (message: unknown) => {
    const hooks = eventHooks();
    // Without a message, the agent goes on with one that was admitted before.
    if (message === undefined) return;
    const { text: prompt } = readUserMessage(message);
    await askHooks(hooks, {
      event: "UserPromptSubmit",
      sessionId: (await session()).id,
      prompt: mask(prompt),
    });
  };
  return {
    session,
    async run(message, runOptions) {
      if (eventHooks().length > 0) await admit(message);
      const result = await agent.run(message, runOptions);
      const { sessionId, reason } = result;
      await tellHooks(eventHooks(), { event: "Stop", sessionId, reason });
      return result;
    },
    async send(message) {
      if (eventHooks().length > 0) await admit(message);
      await agent.send(message);
    },
    interrupt,
    compact,
    followUp,
    get isWorking() {
      return agent.isWorking;
    },
  };
}

function isSession(given: Session | SessionOptions): given is Session {
  return "callAll" in given;
}
