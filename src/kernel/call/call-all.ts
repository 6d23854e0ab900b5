import type { Traits } from "../../tool/traits.ts";
import type { CallRequest, CallResult, Slot } from "./call.ts";
import type { CallHost } from "./call-host.ts";
import { runCall } from "./run-call.ts";

const defaultConcurrentCalls = 10;

/**
 * Runs several calls: neighbours that are concurrency-safe run together, every other call runs alone.
 * The results come in the order of the calls.
 */
export async function callAll(host: CallHost, requests: readonly CallRequest[]): Promise<CallResult[]> {
  const results: CallResult[] = [];
  const batches = batchCalls(host, requests.map(asRequest));
  for (const [index, batch] of batches.entries()) {
    const slots = {
      ...createSlots(host.dialect.maxConcurrentCalls ?? defaultConcurrentCalls),
      areChangesNext: batches
        .slice(index + 1)
        .some((next) => next.some((each) => traitsOf(host, each)?.changesFilesOnly)),
    };
    const running = batch.map(async (request) => {
      await slots.acquire();
      try {
        return await runCall(host, request, slots);
      } finally {
        slots.release();
      }
    });
    results.push(...(await Promise.all(running)));
  }
  return results;
}

/** A value that is not a request at all is treated like an unknown tool name. */
function asRequest(request: unknown): CallRequest {
  return typeof request === "object" && request !== null ? (request as CallRequest) : { name: "", input: {} };
}

/** Consecutive calls that may run together form one batch; every other call is a batch by itself. */
function batchCalls(host: CallHost, requests: readonly CallRequest[]): CallRequest[][] {
  const batches: CallRequest[][] = [];
  let together: CallRequest[] | undefined;
  for (const request of requests) {
    // An unknown name runs nothing, so it is safe anywhere.
    if (traitsOf(host, request)?.concurrencySafe === false) {
      batches.push([request]);
      together = undefined;
    } else if (together !== undefined) together.push(request);
    else {
      together = [request];
      batches.push(together);
    }
  }
  return batches;
}

function traitsOf({ dialect }: CallHost, { name }: CallRequest): Traits | undefined {
  return dialect.resolve(name)?.entry.tool.traits;
}

function createSlots(count: number): Slot {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    acquire: () => {
      if (free > 0) {
        free -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
    release: () => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
