import type { LoggedEvent } from "../../runtime/events/session-event.ts";
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
}

/**
 * The server-sent events of Flyto's engine for a browser, from a session's log and live after that. Ends when the reader
 * stops.
 */
export async function* serverSentEvents(
  session: EventLog,
  { since = 0, keepaliveMs = defaultKeepaliveMs }: ServerSentOptions = {},
): AsyncGenerator<string, void, void> {
  const ending = new AbortController();
  const translate = createFlytoEvents();
  const events = session.events({ since, signal: ending.signal })[Symbol.asyncIterator]();
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
