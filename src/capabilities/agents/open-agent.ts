import { askHooks, tellHooks } from "../../kernel/call/index.ts";
import {
  type OpenRuntime,
  type Session,
  type SessionOptions,
  sessionKeys,
} from "../../kernel/runtime/index.ts";
import { onceResolved } from "../../shared/once.ts";
import { foreign, knownKeys, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { type Agent, createAgent } from "./agent.ts";
import { type AgentOptions, agentKeyTable } from "./agent-options.ts";
import type { AgentHost } from "./host/agent-host.ts";
import type { OpenedSession } from "./host/agent-runtime-parts.ts";
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

export function openAgent(
  agentOptions: SessionAgentOptions,
  { open, filterTools, hooks: allHooks, redactor }: OpenRuntime,
): SessionAgent {
  refuseUnknownKeys(agentOptions, sessionAgentKeys, "agent");
  const { session: given = {}, tools, ...options } = agentOptions;
  if (!isSession(given)) refuseUnknownKeys(given, sessionKeys, "agent: session");
  const allows = tools && filterTools(tools);
  const modelName = typeof options.model === "string" ? options.model : (options.model?.modelId ?? "");
  const session = onceResolved(
    async () => (await open(isSession(given) ? { id: given.id } : given, modelName)) as OpenedSession,
  );
  const openHost = async (): Promise<AgentHost> => (await session()).agentHost({ options, allows });
  const agent = createAgent(options, openHost);
  const { interrupt, compact, followUp } = agent;
  const admit = async (message: unknown) => {
    const hooks = allHooks().event;
    // Without a message, the agent goes on with one that was admitted before.
    if (message === undefined) return;
    const { text: prompt } = readUserMessage(message);
    await askHooks(hooks, {
      event: "UserPromptSubmit",
      sessionId: (await session()).id,
      prompt: redactor.text(prompt),
    });
  };
  return {
    session,
    async run(message, runOptions) {
      if (allHooks().event.length > 0) await admit(message);
      const result = await agent.run(message, runOptions);
      const { sessionId, reason } = result;
      await tellHooks(allHooks().event, { event: "Stop", sessionId, reason });
      return result;
    },
    async send(message) {
      if (allHooks().event.length > 0) await admit(message);
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
