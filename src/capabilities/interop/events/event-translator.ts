import type { AssistantPart } from "../../../kernel/events/agent-event.ts";
import type { CalledTool, LoggedEvent, LoggedEventOf } from "../../../kernel/events/session-event.ts";

/** Translates an event of the log into another system's messages: none, one or several. */
export type EventTranslator<Message> = (event: LoggedEvent) => readonly Message[];

/** The messages for each type of event; other types have none. */
export type EventWords<Message> = {
  readonly [Type in LoggedEvent["type"]]?: (event: LoggedEventOf<Type>) => Message | readonly Message[];
};

export function createTranslator<Message extends object>(
  words: EventWords<Message>,
): EventTranslator<Message> {
  return (event) => {
    const say = words[event.type] as ((event: LoggedEvent) => Message | readonly Message[]) | undefined;
    return say === undefined ? [] : ([say(event)].flat() as Message[]);
  };
}

/** A translator for each sub-agent, so that their messages do not mix. */
export interface ChildTranslators<Message> {
  /** Translates an event of the sub-agent's session. */
  translate(event: LoggedEventOf<"subagent-event">): readonly Message[];
  end(subagentId: string): void;
}

/** Creates each translator on first use: a log that is read from the middle lacks the sub-agent's start. */
export function createChildTranslators<Message>(
  create: (subagentId: string) => EventTranslator<Message>,
): ChildTranslators<Message> {
  const translators = new Map<string, EventTranslator<Message>>();
  return {
    translate({ subagentId, event }) {
      const translator = translators.get(subagentId) ?? create(subagentId);
      translators.set(subagentId, translator);
      return translator(event);
    },
    end(subagentId) {
      translators.delete(subagentId);
    },
  };
}

/** A call as the model named it. */
export interface RequestedCall {
  readonly toolName: string;
  /** The id that the model's provider gave it. */
  readonly toolCallId: string;
}

/** The model's unfinished calls, so that all messages about a call use the same name. */
export interface RequestedCalls {
  add(part: AssistantPart): void;
  /** For a call that no model made, uses the names from the log. */
  find(call: CalledTool): RequestedCall;
  end(callId: string): void;
}

export function createRequestedCalls(): RequestedCalls {
  const calls = new Map<string, RequestedCall>();
  return {
    add(part) {
      if (part.type !== "tool-call") return;
      const { callId, toolName, toolCallId } = part;
      calls.set(callId, { toolName, toolCallId });
    },
    find: ({ callId, tool, calledAs }) =>
      calls.get(callId) ?? { toolName: calledAs ?? tool, toolCallId: callId },
    end(callId) {
      calls.delete(callId);
    },
  };
}
