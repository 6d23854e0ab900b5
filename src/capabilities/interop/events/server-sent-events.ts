import type { LoggedEvent } from "../../../kernel/events/session-event.ts";
import { createFlytoEvents, formatServerSentEvent } from "./flyto-events.ts";

/** The events of a session. */
export interface EventLog {
  events(query: { since: number; signal: AbortSignal }): AsyncIterable<LoggedEvent>;
}

export interface ServerSentOptions {
  /** Only events after this number, which a reconnecting client sends as `Last-Event-ID`. */
  readonly since?: number;
  /** A comment is sent after this much silence, so that proxies keep the connection open. */
  readonly keepaliveMs?: number;
  /** Ends the stream. */
  readonly signal?: AbortSignal;
}

/**
 * The server-sent events of Flyto's engine for a browser, from a session's log and live after that. Ends when the reader
 * stops.
 */
export async function* serverSentEvents(
  session: EventLog,
  { since = 0, keepaliveMs = defaultKeepaliveMs, signal: ended }: ServerSentOptions = {},
): AsyncGenerator<string, void, void> {
  const ending = new AbortController();
  const signal = ended === undefined ? ending.signal : AbortSignal.any([ended, ending.signal]);
  const translate = createFlytoEvents();
  const events = session.events({ since, signal })[Symbol.asyncIterator]();
  try {
    for (let next = events.next(); ; next = events.next()) {
      while (await isSilent(next, keepaliveMs)) yield keepalive;
      const { done, value: event } = await next;
      if (done) return;
      const messages = translate(event);
      const parts = messages.map((message, index) =>
        formatServerSentEvent(message, index === messages.length - 1 ? event.sequence : undefined),
      );
      if (parts.length > 0) yield parts.join("");
    }
  } finally {
    ending.abort();
    // The signal ends a log that waits for more; one that has more to give would listen to the store for ever.
    await events.return?.();
  }
}

const defaultKeepaliveMs = 15_000;
const keepalive = ": keepalive\n\n";

/** Whether the promise is still pending after this time. */
async function isSilent(settling: Promise<unknown>, timeMs: number): Promise<boolean> {
  const silence = Promise.withResolvers<true>();
  const timer = setTimeout(silence.resolve, timeMs, true);
  const settled = settling.then(
    () => false,
    () => false,
  );
  try {
    return await Promise.race([settled, silence.promise]);
  } finally {
    clearTimeout(timer);
  }
}
