import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { Receipt } from "../events/receipt.ts";
import type { CallEndEvent, SessionEvent } from "../events/session-event.ts";
import type { Store, VariableWrite } from "../store/store.ts";

/** One session's way into the store. */
export interface SessionLog {
  /** Written before this returns. */
  append(events: readonly SessionEvent[]): MaybePromise<unknown>;
  /** Written soon, and in any case before the next `append` or `finish` returns; a failure shows there, once. */
  note(event: SessionEvent): void;
  /** Written soon, with the next events if there are any; until it is written it is tried again with each. */
  noteVariable(write: VariableWrite): void;
  finish(event: CallEndEvent): MaybePromise<Receipt>;
}

export function createSessionLog(store: Store, sessionId: string): SessionLog {
  let variables = new Map<string, VariableWrite>();
  let isWriteScheduled = false;
  let failure: { readonly error: unknown } | undefined;

  const write = (events: readonly SessionEvent[]): MaybePromise<Receipt | undefined> => {
    if (failure !== undefined) {
      const { error } = failure;
      failure = undefined;
      throw error;
    }
    return variables.size === 0 ? store.append(sessionId, { events }) : writeWithVariables(events);
  };

  const writeWithVariables = async (events: readonly SessionEvent[]): Promise<Receipt | undefined> => {
    const written = variables;
    variables = new Map();
    try {
      return await store.append(sessionId, { events, variables: [...written.values()] });
    } catch (error) {
      variables = new Map([...written, ...variables]);
      throw error;
    }
  };

  const writeVariablesSoon = () => {
    if (isWriteScheduled) return;
    isWriteScheduled = true;
    // Not at once: a call that ends in the same moment takes them along. If this fails, they go with the next events.
    setImmediate(() => {
      isWriteScheduled = false;
      if (variables.size > 0) writeWithVariables([]).catch(() => {});
    });
  };

  return {
    append: write,
    note(event) {
      Promise.resolve(store.append(sessionId, { events: [event] })).catch((error: unknown) => {
        failure = { error };
      });
    },
    noteVariable(variable) {
      writeVariablesSoon();
      variables.set(`${variable.scope}\n${variable.name}`, variable);
    },
    // An entry with the end of a call always gives its receipt.
    finish: (event) => write([event]) as MaybePromise<Receipt>,
  };
}
