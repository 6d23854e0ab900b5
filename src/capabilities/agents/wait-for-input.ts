import { Deadline, DeadlineReached } from "../../shared/deadline.ts";
import type { AgentParts } from "./agent-run.ts";

/**
 * Waits until a running sub-agent or the user has something for this agent: `input`. `none` when no sub-agent is running
 * or the signal ended the wait, `late` after `maxMs`.
 */
export async function waitForInput(
  { host, inbox }: Pick<AgentParts, "host" | "inbox">,
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
