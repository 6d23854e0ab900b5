import { Deadline } from "../shared/deadline.ts";
import type { AgentHost } from "./agent-host.ts";
import { type AgentOptions, checkAgentOptions } from "./agent-options.ts";
import type { AgentResult } from "./agent-result.ts";
import type { Conversation } from "./transcript/conversation.ts";

/** A model that works with a session's tools. */
export interface Agent {
  /**
   * Works on the message until it is done or something stops it; without one it goes on where it was interrupted.
   * Resolves whatever a model or a tool did; rejects only when it is used wrongly or the log cannot be written.
   */
  run(message?: string, options?: { readonly signal?: AbortSignal }): Promise<AgentResult>;
  /** Says something while it works; the model reads it with the next step. */
  send(message: string): Promise<void>;
  /** Stops the work where it is. What was said and done stays, and the next `run` goes on from there. */
  interrupt(): void;
  readonly isWorking: boolean;
}

/** The session is opened, and the loop loaded, when it is first needed. */
export function createAgent(options: AgentOptions, openHost: () => Promise<AgentHost>): Agent {
  checkAgentOptions(options);
  let opening: Promise<Conversation> | undefined;
  let stop: Deadline | undefined;

  const open = async (): Promise<Conversation> => {
    const host = await openHost();
    const { openConversation } = await import("./transcript/conversation.ts");
    return openConversation(options, host);
  };
  const conversation = (): Promise<Conversation> => {
    opening ??= open().catch((error: unknown) => {
      // Whatever was missing, such as a key, may be there the next time.
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    get isWorking() {
      return stop !== undefined;
    },
    async run(given, { signal } = {}) {
      const message = given === undefined ? undefined : readMessage(given);
      if (stop !== undefined) throw new Error("the agent is working; send it the message instead");
      const ending = new Deadline(signal);
      stop = ending;
      try {
        return await (await conversation()).run(message, ending.signal);
      } finally {
        ending.close();
        stop = undefined;
      }
    },
    async send(given) {
      const message = readMessage(given);
      await (await conversation()).send(message);
    },
    interrupt: () => stop?.cancel(new Error("the agent was interrupted")),
  };
}

/** Without halves of characters, which providers refuse. */
function readMessage(message: unknown): string {
  if (typeof message === "string" && message.trim() !== "") return message.toWellFormed();
  throw new TypeError("agent: a message must be a text with something in it");
}
