import type { Session } from "../../open-session.ts";
import type { LoggedEvent } from "../../runtime/events/session-event.ts";
import { createLock } from "../../shared/lock.ts";

/** The one terminal that there is, for what is shown of the work and for what the person is asked about it. */
export interface Screen {
  /** Keeps it for one piece of work: nothing may be printed into a question. What happens meanwhile is shown afterwards. */
  keep<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns when all that has happened so far has been shown. */
  catchUp(): Promise<void>;
  /** Returns when what is looked for has been shown, or nobody waits for it any more. */
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
      const given = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => given.resolve(), { once: true });
      while (!isShown() && !signal.aborted) {
        if (failure !== undefined) throw failure.error;
        await Promise.race([news.promise, given.promise]);
      }
    },
    stop() {
      isStopped = true;
    },
  };
}
