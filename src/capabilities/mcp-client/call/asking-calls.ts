import { AsyncLocalStorage } from "node:async_hooks";
import type { Ask } from "./answer-elicitation.ts";

/** Finds the call that a server's question belongs to, which older protocols do not say. */
export interface AskingCalls {
  during<Result>(ask: Ask, work: () => Promise<Result>): Promise<Result>;
  /** Throws if the call is not certain, since another call's person might be asked. */
  current(): Ask;
}

export function createAskingCalls(): AskingCalls {
  const open = new Set<{ readonly ask: Ask }>();
  // Over HTTP, a question arrives in its call's stream, which is read in the call's async context.
  const own = new AsyncLocalStorage<{ readonly ask: Ask }>();
  return {
    async during(ask, work) {
      const call = { ask };
      open.add(call);
      try {
        return await own.run(call, work);
      } finally {
        open.delete(call);
      }
    },
    current() {
      const call = own.getStore() ?? (open.size === 1 ? [...open][0] : undefined);
      if (call !== undefined && open.has(call)) return call.ask;
      const why =
        open.size === 0 ? "no call is running" : "several calls are running, and it does not name one";
      throw new Error(`the question does not belong to a call: ${why}`);
    },
  };
}
