import type { IncomingMessage, ServerResponse } from "node:http";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import { formatServerSentEvent } from "./flyto-events.ts";
import { type EventLog, type ServerSentOptions, serverSentEvents } from "./server-sent-events.ts";

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
      if (!response.write(piece)) await drained(response, stallMs);
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

/** Resolves when the client has taken all that was sent, and when it is gone. */
function drained(response: ServerResponse, stallMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => response.destroy(), stallMs);
    const settle = () => {
      clearTimeout(timer);
      response.off("drain", settle).off("close", settle);
      resolve();
    };
    if (response.destroyed) settle();
    else response.once("drain", settle).once("close", settle);
  });
}
