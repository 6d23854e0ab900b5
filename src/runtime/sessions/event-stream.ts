import { channels as allChannels, type Channel, type LoggedEvent } from "../events/session-event.ts";
import type { Store } from "../store/store.ts";

export interface EventQuery {
  /** Only what came after this sequence number. */
  readonly since?: number;
  readonly channels?: readonly Channel[];
  /** Ends the stream, after what had happened by then. */
  readonly signal?: AbortSignal;
}

const pageSize = 256;
// How often to look for what other processes have written; our own writes wake the stream at once.
const pollMs = 200;

/**
 * A session's events from a bookmark on: first what is in the log, then what comes, until the signal ends it.
 * The stream only ever reads the log behind a cursor, so there is no seam at which to lose or repeat an event.
 */
export function streamEvents(
  store: Store,
  sessionId: string,
  query: EventQuery & { signal: AbortSignal },
): AsyncGenerator<LoggedEvent, void, void> {
  checkQuery(query);
  return readOn(store, sessionId, query);
}

function checkQuery({ since = 0, channels = allChannels }: EventQuery): void {
  if (!Number.isSafeInteger(since) || since < 0)
    throw new TypeError(`events: since must be a whole number of at least 0; received ${since}`);
  if (!Array.isArray(channels) || channels.length === 0)
    throw new TypeError(`events: channels must be a list of ${allChannels.join(", ")}, and not empty`);
  const unknown = channels.filter((channel) => !allChannels.includes(channel));
  if (unknown.length === 0) return;
  throw new TypeError(
    `events: there is no channel ${JSON.stringify(unknown[0])}; known are ${allChannels.join(", ")}`,
  );
}

/** What is in a session's log now behind a bookmark, oldest first. */
export async function* readLog(
  store: Store,
  sessionId: string,
  since: number,
): AsyncGenerator<LoggedEvent, void, void> {
  for (let cursor = since; ; ) {
    const page = await store.readEvents(sessionId, { since: cursor, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    cursor = page.at(-1)!.sequence;
  }
}

async function* readOn(
  store: Store,
  sessionId: string,
  { since = 0, channels, signal }: EventQuery & { signal: AbortSignal },
): AsyncGenerator<LoggedEvent, void, void> {
  let cursor = since;
  let wake = () => {};
  let isAwake = true;
  let pollTimer: NodeJS.Timeout | undefined;
  const stopListening = store.onAppend(sessionId, () => {
    isAwake = true;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    while (true) {
      const isLast = signal.aborted;
      isAwake = false;
      const end = await store.readLastSequence(sessionId);
      for (;;) {
        const page = await store.readEvents(sessionId, {
          since: cursor,
          limit: pageSize,
          ...(channels !== undefined && { channels }),
        });
        for (const event of page) {
          cursor = event.sequence;
          yield event;
        }
        if (page.length < pageSize) break;
      }
      // Everything up to the end has been seen, also what the channels leave out.
      cursor = Math.max(cursor, end);
      if (isLast) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (isAwake || signal.aborted) resolve();
        else if (store.isShared) pollTimer = setTimeout(resolve, pollMs).unref();
      });
      clearTimeout(pollTimer);
    }
  } catch (error) {
    // The store may be gone by the time a stream that has been ended looks for the last events.
    if (!signal.aborted) throw error;
  } finally {
    stopListening();
    signal.removeEventListener("abort", onAbort);
  }
}
