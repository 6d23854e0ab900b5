import { untilAborted } from "../../machine/web-client/until-aborted.ts";

/** Keeps the requests to one host few at a time and not too frequent, whichever sessions they come from. */
export interface HostLimits {
  /** Waits for a turn, then does the work. Rejects with the signal's reason if that comes first. */
  during<Result>(host: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

const maxAtOnce = 4;
/** That many requests may come in quick succession; after that, one per `refillMs`. */
const burst = 10;
const refillMs = 500;

export function createHostLimits(): HostLimits {
  const hosts = new Map<string, HostState>();
  return {
    async during(host, signal, work) {
      const state = hosts.get(host) ?? { running: 0, waiting: [], fullAtMs: 0 };
      hosts.set(host, state);
      await takeSlot(state, signal);
      try {
        await takeTurn(state, signal);
        return await work();
      } finally {
        // A slot goes to the request that has waited longest, not to a new one.
        const next = state.waiting.shift();
        if (next === undefined) state.running -= 1;
        else next();
        if (state.running === 0 && state.fullAtMs <= Date.now()) hosts.delete(host);
      }
    },
  };
}

interface HostState {
  running: number;
  readonly waiting: (() => void)[];
  /** When all requests of the burst are available again. */
  fullAtMs: number;
}

async function takeSlot(state: HostState, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (state.running < maxAtOnce) {
    state.running += 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const begin = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const giveUp = () => {
      state.waiting.splice(state.waiting.indexOf(begin), 1);
      reject(signal.reason);
    };
    state.waiting.push(begin);
    signal.addEventListener("abort", giveUp, { once: true });
  });
}

async function takeTurn(state: HostState, signal: AbortSignal): Promise<void> {
  const nowMs = Date.now();
  state.fullAtMs = Math.max(state.fullAtMs, nowMs) + refillMs;
  const delayMs = state.fullAtMs - nowMs - burst * refillMs;
  if (delayMs <= 0) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, delayMs);
  await untilAborted(promise, signal).finally(() => clearTimeout(timer));
}
