import type { LoggedEventOf } from "../../runtime/events/session-event.ts";
import type { EventTranslator } from "./event-translator.ts";

/** A translator for each sub-agent, so that what one says does not mix with what another does. */
export interface ChildTranslators<Message> {
  /** What has happened in its session, in the other system's words. */
  translate(event: LoggedEventOf<"subagent-event">): readonly Message[];
  end(subagentId: string): void;
}

/** Each is made when it is first needed: who reads a log from its middle has not seen how an agent was spawned. */
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
