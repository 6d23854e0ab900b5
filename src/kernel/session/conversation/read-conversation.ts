import type { LoggedEvent } from "../../events/session-event.ts";
import type { Store } from "../../store/store.ts";
import { readLog } from "../event-stream.ts";

/**
 * The events of a session's conversation as it stands: without the events that were rewound and, where it began as a fork, after
 * those of the session that it was forked from. `before`: only events with smaller sequence numbers.
 */
export async function* readConversation(
  store: Store,
  sessionId: string,
  { before = Number.POSITIVE_INFINITY, depth = 0 }: { before?: number; depth?: number } = {},
): AsyncGenerator<LoggedEvent, void, void> {
  const isRewound = await findRewound(store, sessionId, before);
  for await (const event of readLog(store, sessionId, 0)) {
    if (event.sequence >= before) return;
    // Forks only ever name older sessions; an edited log must not go round in circles.
    if (event.type === "conversation-fork" && depth < maxForks)
      yield* readConversation(store, event.from, { before: event.before, depth: depth + 1 });
    else if (!isRewound(event.sequence)) yield event;
  }
}

const maxForks = 100;

/** Tells whether an event is no longer part of the conversation. */
async function findRewound(
  store: Store,
  sessionId: string,
  before: number,
): Promise<(sequence: number) => boolean> {
  const spans: { readonly from: number; readonly to: number }[] = [];
  for await (const { type, sequence, ...event } of readLog(store, sessionId, 0)) {
    if (sequence >= before) break;
    if (type === "conversation-rewind" && "before" in event) spans.push({ from: event.before, to: sequence });
  }
  return (sequence) => spans.some(({ from, to }) => sequence >= from && sequence <= to);
}
