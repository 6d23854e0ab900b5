import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type MaybePromise, succeeds } from "../maybe-promise.ts";

export interface RequestGuard {
  readonly onError: (error: Error) => void;
  /** Answers a request whose handler failed before it said anything. */
  readonly refuse: (outgoing: ServerResponse) => void;
}

/** Has a server answer every request with `handle`. One that fails ends neither the process nor the next request. */
export function answerRequests(
  server: Server,
  handle: (incoming: IncomingMessage, outgoing: ServerResponse) => MaybePromise<void>,
  { onError, refuse }: RequestGuard,
): void {
  server.on("request", async (incoming, outgoing) => {
    // A client that goes away in the middle of an answer is not an error of ours.
    outgoing.on("error", () => {});
    try {
      await handle(incoming, outgoing);
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
      // An answer that has begun cannot become another; whether it has is not always visible.
      if (!succeeds(() => refuse(outgoing))) outgoing.destroy();
    }
  });
}
