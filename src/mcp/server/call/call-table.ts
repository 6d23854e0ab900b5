import { setTimeout as wait } from "node:timers/promises";
import { randomBytes } from "../../../shared/crypto.ts";
import type { RunningCall } from "./running-call.ts";

/** The calls that one session's clients have made and that have not ended. */
export interface CallTable {
  add(call: RunningCall): void;
  /** Keeps a call until its answers come, and gives the secret to come back with, good for once. */
  park(call: RunningCall, about: string): string;
  find(ticket: string): ParkedCall | undefined;
  readonly isFull: boolean;
  /** Gives up on calls that wait for answers, and waits for the others as long as it may. */
  finish(graceMs: number): Promise<void>;
}

export interface ParkedCall {
  readonly call: RunningCall;
  /** What the call was made with; nobody answers for another one. */
  readonly about: string;
  /** Gives the call out; the ticket is spent. */
  take(): RunningCall;
}

export function createCallTable({ maxWaitMs = defaultMaxWaitMs } = {}): CallTable {
  const running = new Set<RunningCall>();
  const parked = new Map<string, ParkedCall>();
  return {
    add(call) {
      running.add(call);
      const forget = () => running.delete(call);
      call.result.then(forget, forget);
    },
    park(call, about) {
      const ticket = randomBytes(32).toString("base64url");
      const forget = () => {
        clearTimeout(timer);
        parked.delete(ticket);
      };
      const timer = setTimeout(() => {
        forget();
        call.cancel(new Error("nobody answered in time"));
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
    find: (ticket) => parked.get(ticket),
    get isFull() {
      return parked.size >= maxParkedCalls;
    },
    async finish(graceMs) {
      for (const { take } of [...parked.values()]) take().cancel(new Error("the server is stopping"));
      const ended = Promise.allSettled([...running].map(({ result }) => result));
      await Promise.race([ended, wait(graceMs, undefined, { ref: false })]);
    },
  };
}

// A person may be away; a call nobody comes back to must not wait for ever.
const defaultMaxWaitMs = 10 * 60_000;

const maxParkedCalls = 100;
