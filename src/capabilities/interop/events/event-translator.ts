import type { AssistantPart } from "../../../kernel/events/agent-event.ts";
import type { CalledTool, LoggedEvent, LoggedEventOf } from "../../../kernel/events/session-event.ts";

/** Translates an event of the log into another system's messages: none, one or several. */
export type EventTranslator<Message> = (event: LoggedEvent) => readonly Message[];

/** The messages for each type of event; other types have none. `say` is made by `sayAt` for each event. */
export type EventWords<Message, Say = undefined> = {
  readonly [Type in LoggedEvent["type"]]?: (
    event: LoggedEventOf<Type>,
    say: Say,
  ) => Message | readonly Message[];
};

export function createTranslator<Message extends object, Say = undefined>(
  words: EventWords<Message, Say>,
  sayAt?: (event: LoggedEvent) => Say,
): EventTranslator<Message> {
  type Translate = (event: LoggedEvent, say: Say) => Message | readonly Message[];
  return (event) => {
    const translate = words[event.type] as Translate | undefined;
    return translate === undefined ? [] : ([translate(event, sayAt?.(event) as Say)].flat() as Message[]);
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

export type RequestedCalls = ReturnType<typeof createRequestedCalls>;

/** The model's unfinished calls, so that all messages about a call use the same name. */
export function createRequestedCalls() {
  const calls = new Map<string, RequestedCall>();
  return {
    add(part: AssistantPart): void {
      if (part.type !== "tool-call") return;
      const { callId, toolName, toolCallId } = part;
      calls.set(callId, { toolName, toolCallId });
    },
    /** For a call that no model made, uses the names from the log. */
    find: ({ callId, tool, calledAs }: CalledTool): RequestedCall =>
      calls.get(callId) ?? { toolName: calledAs ?? tool, toolCallId: callId },
    end(callId: string): void {
      calls.delete(callId);
    },
  };
}
