import type { LoggedEvent } from "../../../kernel/events/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import { createLock } from "../../../shared/lock.ts";
import { whenAborted } from "./stop-signal.ts";

/** Shares the one terminal between the display of events and the questions to the person. */
export interface Screen {
  /** Reserves the terminal, so that nothing is printed into a question; events meanwhile are shown afterwards. */
  keep<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Resolves when every event so far has been shown. */
  catchUp(): Promise<void>;
  /** Resolves when `isShown` is true after an event, or the signal aborts. */
  untilShown(isShown: () => boolean, signal: AbortSignal): Promise<void>;
  stop(): void;
}

export function createScreen(
  session: Session,
  { since, show }: { since: number; show: (event: LoggedEvent) => Promise<void> },
): Screen {
  const keep = createLock();
  let shown = since;
  let isStopped = false;
  let failure: { readonly error: unknown } | undefined;
  let news = Promise.withResolvers<void>();

  const tellNews = () => {
    news.resolve();
    news = Promise.withResolvers();
  };
  const watch = async () => {
    for await (const event of session.events({ since })) {
      if (isStopped) return;
      await keep(() => show(event));
      shown = event.sequence;
      tellNews();
    }
  };
  watch().catch((error: unknown) => {
    failure = { error };
    tellNews();
  });

  return {
    keep,
    async catchUp() {
      const last = await session.bookmark();
      while (shown < last) {
        if (failure !== undefined) throw failure.error;
        await news.promise;
      }
    },
    async untilShown(isShown, signal) {
      const aborted = whenAborted(signal);
      while (!isShown() && !signal.aborted) {
        if (failure !== undefined) throw failure.error;
        await Promise.race([news.promise, aborted]);
      }
    },
    stop() {
      isStopped = true;
    },
  };
}
