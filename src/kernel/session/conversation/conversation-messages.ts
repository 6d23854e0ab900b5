import type { LoggedEvent } from "../../events/session-event.ts";

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
export async function listMessages(
  events: AsyncIterable<LoggedEvent>,
): Promise<readonly ConversationMessage[]> {
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
