import type { Eventually } from "../../shared/eventually.ts";
import type { Receipt } from "../events/receipt.ts";
import type { CallEndEvent, SessionEvent } from "../events/session-event.ts";
import type { Store, VariableWrite } from "../store/store.ts";

/** One session's way into the store. */
export interface SessionLog {
  /** Written before this returns. */
  append(events: readonly SessionEvent[]): Eventually<unknown>;
  /** Written soon, and in any case before the next `append` or `finish` returns; a failure shows there. */
  note(event: SessionEvent): void;
  noteVariable(write: VariableWrite): void;
  finish(event: CallEndEvent): Eventually<Receipt>;
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
    append: write,
    note(event) {
      Promise.resolve(store.append(sessionId, { events: [event] })).catch((error: unknown) => {
        failure = error;
      });
    },
    noteVariable: (variable) => {
      variables.push(variable);
    },
    // An entry with the end of a call always gives its receipt.
    finish: (event) => write([event]) as Eventually<Receipt>,
  };
}
