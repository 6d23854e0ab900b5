import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { LoggedEvent } from "../../../kernel/events/index.ts";
import { withDeadline } from "../../../shared/deadline.ts";
import { settlesWithin } from "../../../shared/maybe-promise.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
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
      while (!(await settlesWithin(next, keepaliveMs))) yield keepalive;
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

export interface SendOptions extends Omit<ServerSentOptions, "since" | "signal"> {
  /** A client that takes nothing for so long is disconnected. Default: one minute. */
  readonly stallMs?: number;
}

/** A session's log, and how far it has come. */
export interface NumberedLog extends EventLog {
  bookmark(): Promise<number>;
}

/**
 * Answers a request with a session's events as server-sent events: those after `Last-Event-ID`, then new ones, until the
 * session closes or the client leaves. A slow client is waited for, and events that it has not taken yet stay in the log. Never
 * rejects: what fails is the last event, `error`.
 */
export async function sendServerSentEvents(
  session: NumberedLog,
  request: IncomingMessage,
  response: ServerResponse,
  { stallMs = defaultStallMs, ...options }: SendOptions = {},
): Promise<void> {
  const leaving = new AbortController();
  response.once("close", () => leaving.abort());
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache, no-transform",
    // Or nginx would keep events until it has a page of them.
    "x-accel-buffering": "no",
  });
  response.flushHeaders();
  try {
    const since = readLastEventId(request, await session.bookmark());
    for await (const piece of serverSentEvents(session, { ...options, since, signal: leaving.signal })) {
      if (leaving.signal.aborted) break;
      if (!response.write(piece)) await drained(response, { stallMs, left: leaving.signal });
    }
    response.end();
  } catch (error) {
    response.end(formatServerSentEvent({ event: "error", data: { message: describeThrown(error) } }));
  }
}

const defaultStallMs = 60_000;

/** A number beyond the log's end is another session's: the client gets all of this one. */
function readLastEventId({ headers }: IncomingMessage, end: number): number {
  const last = Number(headers["last-event-id"]);
  return Number.isSafeInteger(last) && last >= 0 && last <= end ? last : 0;
}

/** Resolves when the client has taken all that was sent, and when it is gone; one that takes nothing is disconnected. */
async function drained(response: ServerResponse, { stallMs, left }: { stallMs: number; left: AbortSignal }) {
  const whenDrained = withDeadline(stallMs, left, ({ signal }) => once(response, "drain", { signal }));
  await whenDrained.catch(() => response.destroy());
}
