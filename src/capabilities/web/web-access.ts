import { join } from "node:path";
import { type GuardedClient, untilAborted } from "../../machine/web-client/index.ts";
import { once } from "../../shared/once.ts";
import { openPageCache } from "./page-cache.ts";
import { addressOf, type SearchSettings } from "./search/search-settings.ts";
import type { WebOptions } from "./web-options.ts";

export type WebAccess = ReturnType<typeof createWebAccess>;

/** Creates the clients, caches and limits that all sessions of a runtime share when they use the web. */
export function createWebAccess(options: WebOptions = {}, { stateFolder }: { stateFolder: string }) {
  return {
    /** Loaded with the first request, to keep the start fast. */
    client: openOnce(options),
    /** A client without the user's own origins, for addresses that only a server has named. */
    publicClient: openOnce({ ...options, origins: [] }),
    limits: createHostLimits(),
    cache: openPageCache(join(stateFolder, "web-pages")),
    search: options.search && { settings: options.search, client: openForSearch(options, options.search) },
    /** Fetched robots.txt files by address. */
    robots: new Map<string, { readonly text: string; readonly untilMs: number }>(),
    followsRobots: options.robots ?? false,
    /** Where a session keeps the beginnings of interrupted downloads. */
    downloadFolder: (sessionId: string) => join(stateFolder, "downloads", sessionId),
  };
}

/** A client for searches alone, which may reach a search service in a private network; pages that a model fetches may not. */
function openForSearch(options: WebOptions, search: SearchSettings): () => Promise<GuardedClient> {
  const { origin } = new URL(addressOf(search));
  return openOnce({ ...options, origins: [...(options.origins ?? []), origin] });
}

function openOnce(options: WebOptions): () => Promise<GuardedClient> {
  return once(async () => {
    const { createGuardedClient } = await import("../../machine/web-client/guarded-client.ts");
    const { ca } = options;
    return createGuardedClient({ ...options, ca: ca === undefined ? undefined : await authorities(ca) });
  });
}

/** The user's authorities and the usual ones: Node would trust only those that it is given. */
async function authorities(ca: NonNullable<WebOptions["ca"]>): Promise<string[]> {
  const { getCACertificates } = await import("node:tls");
  return [...getCACertificates("default"), ...[ca].flat()];
}

const maxAtOnce = 4;
/** So many requests may come in quick succession; after them, one per `refillMs`. */
const burst = 10;
const refillMs = 500;

/** Keeps the requests to one host few at a time and not too frequent, whichever sessions they come from. */
export function createHostLimits() {
  const hosts = new Map<string, HostState>();
  return {
    /** Waits for a turn, then does the work. Rejects with the signal's reason if that comes first. */
    async during<Result>(host: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
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
