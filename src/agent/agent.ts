import { Deadline } from "../shared/deadline.ts";
import { foreign, knownKeys } from "../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../shared/options/refuse-unknown-keys.ts";
import type { SchemaDeclaration } from "../tool/input-schema.ts";
import type { AgentHost } from "./agent-host.ts";
import { type AgentOptions, checkAgentOptions } from "./agent-options.ts";
import type { AgentResult } from "./agent-result.ts";
import { createAnswerFormat } from "./answer-format.ts";
import type { Conversation } from "./transcript/conversation.ts";
import { type MessagePart, readUserMessage } from "./user-message.ts";

/** A model that works with a session's tools. */
export interface Agent {
  /**
   * Works on the message until it is done or something stops it; without a message it continues where it was interrupted.
   * Resolves even when the model or a tool fails; rejects only on wrong use or when the log cannot be written.
   */
  run(message?: string | readonly MessagePart[], options?: RunAgentOptions): Promise<AgentResult>;
  /** Sends a message while the agent works; the model reads it in the next step. */
  send(message: string): Promise<void>;
  /** Stops the work where it is. The conversation stays, and the next `run` continues from there. */
  interrupt(): void;
  readonly isWorking: boolean;
}

export interface RunAgentOptions {
  readonly signal?: AbortSignal;
  /**
   * What the answer must be: JSON Schema, or a Standard Schema such as `z.object({ … })`. The result then has the answer as
   * `value`. An answer that does not fit is asked for once more, and then fails the run.
   */
  readonly schema?: SchemaDeclaration;
}

export const runAgentKeys = knownKeys<RunAgentOptions>({ signal: foreign, schema: foreign });

/** Opens the session and loads the loop on first use. */
export function createAgent(agentOptions: AgentOptions, openHost: () => Promise<AgentHost>): Agent {
  checkAgentOptions(agentOptions);
  let opening: Promise<Conversation> | undefined;
  let stop: Deadline | undefined;

  const open = async (): Promise<Conversation> => {
    const host = await openHost();
    const { openConversation } = await import("./transcript/conversation.ts");
    return openConversation(agentOptions, host);
  };
  const conversation = (): Promise<Conversation> => {
    opening ??= open().catch((error: unknown) => {
      // Whatever was missing, such as an API key, may be there next time.
      opening = undefined;
      throw error;
    });
    return opening;
  };

  return {
    get isWorking() {
      return stop !== undefined;
    },
    async run(given, options = {}) {
      refuseUnknownKeys(options, runAgentKeys, "agent.run");
      const message = given === undefined ? undefined : readUserMessage(given);
      const format = options.schema === undefined ? undefined : createAnswerFormat(options.schema);
      if (stop !== undefined)
        throw new Error("the agent is already working; use send() to give it a message");
      const ending = new Deadline(options.signal);
      stop = ending;
      try {
        return await (await conversation()).run(message, {
          signal: ending.signal,
          ...(format && { format }),
        });
      } finally {
        ending.close();
        stop = undefined;
      }
    },
    async send(given) {
      const message = readUserMessage(given);
      if (message.images.length > 0) throw new TypeError("agent: only the message of run() may have images");
      await (await conversation()).send(message.text);
    },
    interrupt: () => stop?.cancel(new Error("the agent was interrupted")),
  };
}
