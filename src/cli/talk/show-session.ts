import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import type { Session } from "../../session.ts";
import { describeThrown } from "../../shared/text/describe-thrown.ts";
import type { TalkView } from "./talk-view.ts";
import type { TokenCount } from "./token-count.ts";

/** Shows a session from the beginning of its conversation on. */
export interface ShownSession {
  /** What we say about the work comes after what was shown of it. */
  caughtUp(): Promise<void>;
  stop(): void;
}

export function showSession(
  session: Session,
  {
    view,
    tokens,
    onStatus,
  }: { view: Pick<TalkView, "show" | "settle" | "tell">; tokens: TokenCount; onStatus: () => void },
): ShownSession {
  const stopping = new AbortController();
  const { signal } = stopping;
  let shown = { sequence: 0, next: Promise.withResolvers<void>() };
  const noteShown = (sequence: number): void => {
    shown.next.resolve();
    shown = { sequence, next: Promise.withResolvers() };
  };
  /** What was said so far, as the conversation stands; what all of it cost, as the log has it. */
  const replay = async (): Promise<number> => {
    const last = await session.bookmark();
    for await (const event of session.events({ signal: AbortSignal.abort() })) tokens.note(event);
    for await (const event of session.conversation()) {
      if (signal.aborted || (event.sessionId === session.id && event.sequence > last)) break;
      tokens.noteContext(event);
      view.show(event);
    }
    view.settle();
    noteShown(last);
    onStatus();
    return last;
  };
  const follow = async (): Promise<void> => {
    for await (const event of session.events({ since: await replay(), signal })) {
      tokens.note(event);
      view.show(event);
      noteShown(event.sequence);
      if (changesStatus(event)) onStatus();
    }
  };
  follow().catch((error: unknown) => view.tell(describeThrown(error), "problem"));
  return {
    async caughtUp() {
      const last = await session.bookmark();
      while (shown.sequence < last && session.isOpen) await shown.next.promise;
    },
    stop: () => stopping.abort(),
  };
}

function changesStatus({ type }: LoggedEvent): boolean {
  return type === "assistant-message" || type === "subagent-event" || type === "agent-end";
}
