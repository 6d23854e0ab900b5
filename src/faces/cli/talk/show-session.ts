import type { LoggedEvent } from "../../../kernel/events/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import { describeThrown } from "../../../shared/text/describe-thrown.ts";
import type { TalkView } from "./talk-view.ts";
import type { TokenCount } from "./token-count.ts";

export type ShownSession = ReturnType<typeof showSession>;

/** Shows a session from the beginning of its conversation on. */
export function showSession(
  session: Session,
  { view, tokens, onStatus }: { view: TalkView; tokens: TokenCount; onStatus: () => void },
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let shown = { sequence: 0, next: Promise.withResolvers<void>() };
  const noteShown = (sequence: number): void => {
    shown.next.resolve();
    shown = { sequence, next: Promise.withResolvers() };
  };
  let hurriedTo = 0;
  let hasLeftOut = false;
  const show = async (event: LoggedEvent): Promise<void> => {
    for (const piece of piecesOf(event)) {
      const ready = view.whenReady();
      await ready;
      if ((ready !== undefined || hasLeftOut) && event.sequence <= hurriedTo && isPassing(event)) {
        hasLeftOut = true;
        return;
      }
      if (hasLeftOut) view.tell("(… what it wrote meanwhile is in the log)");
      hasLeftOut = false;
      view.show(piece);
    }
  };
  /** Shows the messages so far, as the conversation stands now, and counts the cost of all in the log. */
  const replay = async (): Promise<number> => {
    const last = await session.bookmark();
    for await (const event of session.events({ signal: AbortSignal.abort() })) tokens.note(event);
    for await (const event of session.conversation()) {
      if (signal.aborted || (event.sessionId === session.id && event.sequence > last)) break;
      tokens.noteContext(event);
      await show(event);
    }
    view.settle();
    noteShown(last);
    onStatus();
    return last;
  };
  const follow = async (): Promise<void> => {
    for await (const event of session.events({ since: await replay(), signal })) {
      tokens.note(event);
      await show(event);
      noteShown(event.sequence);
      if (changesStatus(event)) onStatus();
    }
  };
  follow().catch((error: unknown) => view.tell(describeThrown(error), "problem"));
  return {
    /** Resolves when all events so far are shown, so that our messages about the work come after them. */
    async caughtUp() {
      const last = await session.bookmark();
      while (shown.sequence < last && session.isOpen) await shown.next.promise;
    },
    /** Leaves out the streamed words up to now that the view has not shown yet. */
    async hurry() {
      hurriedTo = await session.bookmark();
    },
    stop: () => stopping.abort(),
  };
}

/** Divides long events: a model that writes quickly has many words in one. */
function* piecesOf(event: LoggedEvent): Generator<LoggedEvent> {
  if ((event.type !== "text-delta" && event.type !== "reasoning-delta") || event.text.length <= maxPiece)
    return yield event;
  const { text } = event;
  for (let start = 0; start < text.length; ) {
    const end = start + maxPiece;
    // A piece never ends between the halves of a character.
    const next = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end + 1 : end;
    yield { ...event, text: text.slice(start, next) };
    start = next;
  }
}

const maxPiece = 1000;

/** Whether an event is passing: a later one contains its text. */
function isPassing({ type }: LoggedEvent): boolean {
  return (
    type === "text-delta" || type === "reasoning-delta" || type === "call-draft" || type === "call-progress"
  );
}

function changesStatus({ type }: LoggedEvent): boolean {
  return type === "assistant-message" || type === "subagent-event" || type === "agent-end";
}
