import type { LoggedEvent, LoggedEventOf } from "../../runtime/events/session-event.ts";

/** What an event of the log is in another system's words: nothing, one message, or several. */
export type EventTranslator<Message> = (event: LoggedEvent) => readonly Message[];

/** What is said for each type of event; of the others nothing is said. */
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
