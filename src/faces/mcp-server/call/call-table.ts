import { setTimeout as wait } from "node:timers/promises";
import { randomBytes } from "../../../shared/crypto.ts";
import type { RunningCall } from "./running-call.ts";

export interface ParkedCall {
  readonly call: RunningCall;
  /** Identifies the call's tool and arguments, so that answers are not used for another call. */
  readonly about: string;
  /** Returns the call and invalidates the ticket. */
  take(): RunningCall;
}

/** The running calls of one session's clients. */
export function createCallTable() {
  const running = new Set<RunningCall>();
  const parked = new Map<string, ParkedCall>();
  return {
    add(call: RunningCall): void {
      running.add(call);
      const forget = () => running.delete(call);
      call.result.then(forget, forget);
    },
    /** Keeps a call until its answers come. Returns a secret ticket that can be used once. */
    park(call: RunningCall, about: string): string {
      const ticket = randomBytes(32).toString("base64url");
      const forget = () => {
        clearTimeout(timer);
        parked.delete(ticket);
      };
      const timer = setTimeout(() => {
        forget();
        call.cancel(new Error("no answer came in time"));
      }, maxWaitMs);
      timer.unref();
      const take = () => {
        forget();
        return call;
      };
      parked.set(ticket, { call, about, take });
      call.result.then(forget, forget);
      return ticket;
    },
    find: (ticket: string) => parked.get(ticket),
    get isFull() {
      return parked.size >= maxParkedCalls;
    },
    /** Cancels calls that wait for answers, and waits up to `graceMs` for the others. */
    async finish(graceMs: number): Promise<void> {
      for (const { take } of [...parked.values()]) take().cancel(new Error("the server is stopping"));
      const ended = Promise.allSettled([...running].map(({ result }) => result));
      // Not unreferenced: a call that ignores its end may be all that is left, and the rest has to be closed after it.
      const over = new AbortController();
      await Promise.race([ended, wait(graceMs, undefined, { signal: over.signal })]);
      over.abort();
    },
  };
}

// A person may be away for a while, but an abandoned call must not wait forever.
const maxWaitMs = 10 * 60_000;

const maxParkedCalls = 100;
