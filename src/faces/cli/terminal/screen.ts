import type { LoggedEvent } from "../../../kernel/events/index.ts";
import type { Session } from "../../../kernel/runtime/index.ts";
import { createLock } from "../../../shared/lock.ts";
import { whenAborted } from "./stop-signal.ts";

export type Screen = ReturnType<typeof createScreen>;

/** Shares the one terminal between the display of a session's events and the questions to the person. */
export function createScreen(
  session: Session,
  { since, show }: { since: number; show: (event: LoggedEvent) => Promise<void> },
) {
  const keep = createLock();
  const stopping = new AbortController();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  let shown = since;
  let news = Promise.withResolvers<void>();

  const watch = async () => {
    for await (const event of session.events({ since, signal: stopping.signal })) {
      await keep(() => show(event));
      shown = event.sequence;
      news.resolve();
      news = Promise.withResolvers();
    }
  };
  watch().catch(failed.reject);

  return {
    /** Reserves the terminal, so that nothing is printed into a question; events meanwhile are shown afterwards. */
    keep,
    /** Resolves when every event so far has been shown. */
    async catchUp() {
      const last = await session.bookmark();
      while (shown < last) await Promise.race([news.promise, failed.promise]);
    },
    /** Resolves when `isShown` is true after an event, or the signal aborts. */
    async untilShown(isShown: () => boolean, signal: AbortSignal) {
      const aborted = whenAborted(signal);
      while (!isShown() && !signal.aborted) await Promise.race([news.promise, failed.promise, aborted]);
    },
    stop: () => stopping.abort(),
  };
}
