import { createAlarm } from "../../shared/alarm.ts";
import { foreign, knownKeys, value } from "../../shared/options/known-keys.ts";
import { refuseUnknownKeys } from "../../shared/options/refuse-unknown-keys.ts";
import { channels as allChannels, type Channel, type LoggedEvent } from "../events/index.ts";
import type { Store } from "../store/index.ts";

export interface EventQuery {
  /** Only events after this sequence number. */
  readonly since?: number;
  readonly channels?: readonly Channel[];
  /** Ends the stream, once it has given the events up to then. */
  readonly signal?: AbortSignal;
}

export const eventQueryKeys = knownKeys<EventQuery>({ since: value, channels: value, signal: foreign });

const pageSize = 256;
// How often to look for events written by other processes; this process's own events wake the stream immediately.
const pollMs = 200;

/**
 * A session's events after a bookmark: first those in the log, then new ones, until the signal ends the stream.
 * Both are read from the log after a cursor, so no event is lost or repeated in between.
 */
export function streamEvents(
  store: Store,
  sessionId: string,
  query: EventQuery & { signal: AbortSignal },
  writer: EventWriter = "here",
): AsyncGenerator<LoggedEvent, void, void> {
  checkQuery(query);
  return readOn(store, sessionId, { ...query, writer });
}

/**
 * Which process writes the events. A stream keeps this process alive for events from elsewhere, but not for its own.
 */
type EventWriter = "here" | "elsewhere";

function checkQuery(query: EventQuery): void {
  refuseUnknownKeys(query, eventQueryKeys, "events");
  const { since = 0, channels = allChannels } = query;
  if (!Number.isSafeInteger(since) || since < 0)
    throw new TypeError(`events: since must be a whole number of at least 0; received ${since}`);
  if (!Array.isArray(channels) || channels.length === 0)
    throw new TypeError(`events: channels must be a non-empty list of ${allChannels.join(", ")}`);
  const unknown = channels.filter((channel) => !allChannels.includes(channel));
  if (unknown.length === 0) return;
  throw new TypeError(
    `events: unknown channel ${JSON.stringify(unknown[0])}; expected ${allChannels.join(", ")}`,
  );
}

/** A query that also ends with another signal, such as that of its runtime. */
export function endedBy<Query extends { readonly signal?: AbortSignal }>(query: Query, ending: AbortSignal) {
  return { ...query, signal: query.signal ? AbortSignal.any([query.signal, ending]) : ending };
}

/** The events in a session's log now, after a bookmark, oldest first. */
export async function* readLog(
  store: Store,
  sessionId: string,
  since: number,
  channels?: readonly Channel[],
): AsyncGenerator<LoggedEvent, void, void> {
  for (let cursor = since; ; ) {
    const page = await store.readEvents(sessionId, { since: cursor, limit: pageSize, channels });
    yield* page;
    if (page.length < pageSize) return;
    cursor = page.at(-1)!.sequence;
  }
}

async function* readOn(
  store: Store,
  sessionId: string,
  { since = 0, channels, signal, writer }: EventQuery & { signal: AbortSignal; writer: EventWriter },
): AsyncGenerator<LoggedEvent, void, void> {
  let cursor = since;
  const alarm = createAlarm();
  const stopListening = store.onAppend(sessionId, alarm.ring);
  signal.addEventListener("abort", alarm.ring, { once: true });
  try {
    while (true) {
      const isLast = signal.aborted;
      const end = await store.readLastSequence(sessionId);
      for await (const event of readLog(store, sessionId, cursor, channels)) {
        cursor = event.sequence;
        yield event;
      }
      // Everything up to the end has been read, including events that `channels` filtered out.
      cursor = Math.max(cursor, end);
      if (isLast) return;
      await alarm.sleep(store.isShared ? pollMs : undefined, { isIdle: writer === "here" });
    }
  } catch (error) {
    // The store may be closed by the time that an ended stream looks for the last events.
    if (!signal.aborted) throw error;
  } finally {
    stopListening();
    signal.removeEventListener("abort", alarm.ring);
  }
}
