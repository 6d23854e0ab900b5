import type { LoggedEvent } from "../../events/index.ts";
import type { Store } from "../../store/index.ts";
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
async function findRewound(store: Store, sessionId: string, before: number) {
  const spans: { readonly from: number; readonly to: number }[] = [];
  for await (const event of readLog(store, sessionId, 0)) {
    if (event.sequence >= before) break;
    if (event.type === "conversation-rewind") spans.push({ from: event.before, to: event.sequence });
  }
  return (sequence: number) => spans.some(({ from, to }) => sequence >= from && sequence <= to);
}

/** A message that an agent has worked on, to which its conversation can be taken back. */
export interface ConversationMessage {
  /** Sequence number in the log of `sessionId`. */
  readonly sequence: number;
  /** Another session than its own where the conversation was forked. */
  readonly sessionId: string;
  /** ISO 8601. */
  readonly at: string;
  readonly text: string;
  /** How many images came with it. */
  readonly images: number;
}

/** The messages that began a run, oldest first; those that were sent while the agent worked belong to its run. */
export async function listMessages(events: AsyncIterable<LoggedEvent>) {
  const messages: ConversationMessage[] = [];
  let isStart = false;
  for await (const event of events) {
    if (event.type === "user-message" && isStart) {
      const { sequence, sessionId, at, text, images = [] } = event;
      messages.push({ sequence, sessionId, at, text, images: images.length });
    }
    isStart = event.type === "agent-start";
  }
  return messages;
}
