import type { Receipt } from "../events/receipt.ts";
import type { CallEndEvent, SessionEvent } from "../events/session-event.ts";
import type { Store, VariableWrite } from "../store/store.ts";

/** One session's way into the store. */
export interface SessionLog {
  /** Written before this returns. */
  append(events: readonly SessionEvent[]): Promise<void>;
  /** Written soon, and in any case before the next `append` or `finish` returns; a failure shows there. */
  note(event: SessionEvent): void;
  noteVariable(write: VariableWrite): void;
  finish(event: CallEndEvent): Promise<Receipt>;
}

export function createSessionLog(store: Store, sessionId: string): SessionLog {
  let variables: VariableWrite[] = [];
  let failure: unknown;
  const write = (events: readonly SessionEvent[]) => {
    if (failure !== undefined) throw failure;
    const entry = variables.length > 0 ? { events, variables } : { events };
    variables = [];
    return store.append(sessionId, entry);
  };
  return {
    async append(events) {
      await write(events);
    },
    note(event) {
      store.append(sessionId, { events: [event] }).catch((error: unknown) => {
        failure = error;
      });
    },
    noteVariable: (variable) => {
      variables.push(variable);
    },
    async finish(event) {
      return (await write([event]))!;
    },
  };
}
