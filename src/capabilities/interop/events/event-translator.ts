import type { AssistantPart, CalledTool, LoggedEvent, LoggedEventOf } from "../../../kernel/events/index.ts";

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

/**
 * A translator for each sub-agent, so that their messages do not mix. Each is created on first use: a log that is read from
 * the middle lacks the sub-agent's start.
 */
export function createChildTranslators<Message>(create: (subagentId: string) => EventTranslator<Message>) {
  const translators = new Map<string, EventTranslator<Message>>();
  return {
    /** Translates an event of the sub-agent's session. */
    translate({ subagentId, event }: LoggedEventOf<"subagent-event">): readonly Message[] {
      const translator = translators.get(subagentId) ?? create(subagentId);
      translators.set(subagentId, translator);
      return translator(event);
    },
    end(subagentId: string): void {
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

/** A stretch of a model's text or reasoning. */
export interface Passage {
  readonly kind: "text" | "reasoning";
  /** The whole text so far. */
  readonly text: string;
  readonly step: number;
  /** Derived from its first event, so that it is the same for every reader of the log. */
  readonly id: string;
}

export type DeltaEvent = LoggedEventOf<"text-delta" | "reasoning-delta">;

/** Builds passages from the log, which has deltas and, at the end of a step, the whole message. */
export function createPassages() {
  let open: Passage | undefined;
  let streamedKinds = new Set<Passage["kind"]>();

  /** Ends the open passage, when the model turns to something else or has stopped. */
  const end = (): readonly Passage[] => {
    const ended = open;
    open = undefined;
    return ended === undefined ? [] : [ended];
  };

  return {
    /** The passage that the delta belongs to, and the one before it if the delta ends that. */
    add({ type, text, step, sequence }: DeltaEvent) {
      const kind = type === "text-delta" ? "text" : "reasoning";
      const same = open?.kind === kind ? open : undefined;
      const ended = same === undefined ? end() : [];
      const { id, text: before } = same ?? { id: `${sequence}`, text: "" };
      const passage: Passage = { kind, step, id, text: before + text };
      open = passage;
      streamedKinds.add(kind);
      return { passage, isNew: same === undefined, ended };
    },
    end,
    /** Ends the open passage, and returns parts without deltas as passages that start and end immediately. */
    finish({ content, step, sequence }: LoggedEventOf<"assistant-message">) {
      const streamed = streamedKinds;
      streamedKinds = new Set();
      const texts = content.filter((part) => part.type !== "tool-call");
      const unstreamed = texts.filter(({ type }) => !streamed.has(type));
      return [
        ...end().map((passage) => ({ passage: { ...passage, text: wholeOf(passage, texts) }, isNew: false })),
        ...unstreamed.map(({ type: kind, text }, index) => ({
          passage: { kind, text, step, id: `${sequence}.${index}` },
          isNew: true,
        })),
      ];
    },
  };
}

/** A late reader has missed the beginning; if the message has only one text of this kind, that is the whole. */
function wholeOf({ kind, text }: Passage, texts: readonly { type: string; text: string }[]): string {
  const same = texts.filter(({ type }) => type === kind);
  return same.length === 1 ? same[0]!.text : text;
}
