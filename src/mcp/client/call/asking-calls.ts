import { AsyncLocalStorage } from "node:async_hooks";
import type { Ask } from "./answer-elicitation.ts";

/** Whose question it is when a server asks: by the older protocols it does not say. */
export interface AskingCalls {
  during<Result>(ask: Ask, work: () => Promise<Result>): Promise<Result>;
  /** Throws where it cannot be told, because another call's person might be asked. */
  current(): Ask;
}

export function createAskingCalls(): AskingCalls {
  const open = new Set<{ readonly ask: Ask }>();
  // Over HTTP a question comes in the stream of its call, which is read where the call was made.
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
      const why = open.size === 0 ? "no call is under way" : "several calls are under way";
      throw new Error(`nobody can be asked: ${why}, and the question names none`);
    },
  };
}
