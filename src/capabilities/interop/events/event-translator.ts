import type { LoggedEvent, LoggedEventOf } from "../../../kernel/events/session-event.ts";

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
