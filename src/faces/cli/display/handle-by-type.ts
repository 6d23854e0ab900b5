import type { LoggedEvent, LoggedEventOf } from "../../../kernel/events/index.ts";

type Handlers<More extends unknown[], Result> = {
  readonly [Type in LoggedEvent["type"]]?: (event: LoggedEventOf<Type>, ...more: More) => Result;
};

/** Makes a function that hands each event to the handler of its type; undefined for an event of another type. */
export function handleByType<More extends unknown[], Result>(handlers: Handlers<More, Result>) {
  const known = new Map<string, unknown>(Object.entries(handlers));
  return (event: LoggedEvent, ...more: More): Result | undefined => {
    const handle = known.get(event.type) as ((event: LoggedEvent, ...more: More) => Result) | undefined;
    return handle?.(event, ...more);
  };
}
