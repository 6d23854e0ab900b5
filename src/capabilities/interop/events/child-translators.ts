import type { LoggedEventOf } from "../../../kernel/events/session-event.ts";
import type { EventTranslator } from "./event-translator.ts";

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
