import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import { createFlytoEvents, formatServerSentEvent } from "./flyto-events.ts";

/** A session, as far as its events go. */
export interface EventLog {
  events(query: { since: number; signal: AbortSignal }): AsyncIterable<LoggedEvent>;
}

export interface ServerSentOptions {
  /** Only what came after this number: what a client that was cut off sends as `Last-Event-ID`. */
  readonly since?: number;
  /** After how long a silence a comment is sent, so that nothing on the way takes the connection for dead. */
  readonly keepaliveMs?: number;
}

/**
 * What a browser that listens to Flyto's engine is to be sent, piece by piece, from the log of a session and as it goes
 * on. Whoever stops reading ends it.
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

/** Whether so much time passes before it is settled. */
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
