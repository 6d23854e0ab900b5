import type { CallResult } from "../../kernel/call/index.ts";
import { Deadline } from "../../shared/deadline.ts";
import { onceResolved } from "../../shared/once.ts";
import { foreign, knownKeys, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import type { SchemaDeclaration } from "../../tool/input-schema.ts";
import { type AgentOptions, checkAgentOptions } from "./agent-options.ts";
import type { AgentResult } from "./agent-run.ts";
import { createAnswerFormat } from "./answer-format.ts";
import type { AgentHost } from "./host/agent-host.ts";
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
  /**
   * Lets the model write a summary that takes the place of the conversation so far, with the task, the list of tasks and
   * unfinished calls. Resolves to the text that the model is shown instead. Rejects while the agent works, and if the model fails.
   */
  compact(options?: CompactOptions): Promise<string>;
  /**
   * Sends a message to a sub-agent of its session that has ended, which goes on in the background and remembers its work. The
   * agent learns how that ends in its next step. Resolves when the sub-agent has begun, or could not.
   */
  followUp(subAgentId: string, message: string): Promise<CallResult>;
  /** Stops the work where it is. The conversation stays, and the next `run` continues from there. */
  interrupt(): void;
  readonly isWorking: boolean;
}

export interface RunAgentOptions {
  readonly signal?: AbortSignal;
  /**
   * The form of the answer: JSON Schema, or a Standard Schema such as `z.object({ … })`. The result then has the answer as
   * `value`. An answer that does not fit is asked for once more, and then fails the run.
   */
  readonly schema?: SchemaDeclaration;
}

export interface CompactOptions {
  /** A subject that the summary should pay attention to. */
  readonly focus?: string;
  readonly signal?: AbortSignal;
}

const compactKeys = knownKeys<CompactOptions>({ focus: value, signal: foreign });

export const runAgentKeys = knownKeys<RunAgentOptions>({ signal: foreign, schema: foreign });

/** Opens the session and loads the loop on first use. */
export function createAgent(agentOptions: AgentOptions, openHost: () => Promise<AgentHost>): Agent {
  checkAgentOptions(agentOptions);
  let stop: Deadline | undefined;

  // If it fails, the missing thing, such as an API key, may be there next time.
  const conversation = onceResolved(async () => {
    const host = await openHost();
    const { openConversation } = await import("./transcript/conversation.ts");
    return openConversation(agentOptions, host);
  });

  /** Does one piece of work at a time, which `interrupt` ends. */
  const working = async <Result>(
    signal: AbortSignal | undefined,
    work: (conversation: Conversation, signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> => {
    if (stop !== undefined) throw new Error("the agent is already working; use send() to give it a message");
    const ending = new Deadline(signal);
    stop = ending;
    try {
      return await work(await conversation(), ending.signal);
    } finally {
      ending.close();
      stop = undefined;
    }
  };

  return {
    get isWorking() {
      return stop !== undefined;
    },
    async run(given, options = {}) {
      refuseUnknownKeys(options, runAgentKeys, "agent.run");
      const message = given === undefined ? undefined : readUserMessage(given);
      const format = options.schema === undefined ? undefined : createAnswerFormat(options.schema);
      return working(options.signal, ({ run }, signal) => run(message, { signal, format }));
    },
    async compact(options = {}) {
      refuseUnknownKeys(options, compactKeys, "agent.compact");
      const { focus } = options;
      return working(options.signal, ({ compact }, signal) => compact({ signal, focus }));
    },
    async send(given) {
      const message = readUserMessage(given);
      if (message.images.length > 0) throw new TypeError("agent: only the message of run() may have images");
      await (await conversation()).send(message.text);
    },
    async followUp(subAgentId, given) {
      const { text } = readUserMessage(given);
      return (await conversation()).followUp(subAgentId, text);
    },
    interrupt: () => stop?.cancel(new Error("the agent was interrupted")),
  };
}
