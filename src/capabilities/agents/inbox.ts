import { Deadline, DeadlineReached } from "../../shared/deadline.ts";
import type { AgentHost } from "./host/agent-host.ts";

export type Inbox = ReturnType<typeof createInbox>;

/** Messages to an agent that its model has not read yet. */
export function createInbox() {
  const messages: string[] = [];
  const listeners = new Set<() => void>();
  return {
    get isEmpty() {
      return messages.length === 0;
    },
    add(message: string): void {
      messages.push(message);
      for (const onMessage of listeners) onMessage();
    },
    /** Removes and returns all messages. */
    take: (): readonly string[] => messages.splice(0),
    /** Calls `onMessage` for every new message. Returns a function that stops this. */
    listen(onMessage: () => void) {
      listeners.add(onMessage);
      return () => listeners.delete(onMessage);
    },
  };
}

/**
 * Waits until a running sub-agent or the user has something for this agent: `input`. `none` when no sub-agent is running
 * or the signal ended the wait, `late` after `maxMs`.
 */
export async function waitForInput(
  { host, inbox }: { readonly host: Pick<AgentHost, "agenda">; readonly inbox: Inbox },
  { signal, maxMs = Number.POSITIVE_INFINITY }: { signal: AbortSignal; maxMs?: number },
): Promise<"input" | "none" | "late"> {
  const waiting = new Deadline(signal);
  waiting.start(Math.max(0, maxMs));
  const stopListening = inbox.listen(() => waiting.cancel(new Error("a message came in")));
  try {
    const hasNews = await host.agenda.untilNews(waiting.signal);
    if (hasNews || !inbox.isEmpty) return "input";
    return waiting.reason instanceof DeadlineReached ? "late" : "none";
  } finally {
    stopListening();
    waiting.close();
  }
}
