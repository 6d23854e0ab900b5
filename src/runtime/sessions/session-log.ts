import type { MaybePromise } from "../../shared/maybe-promise.ts";
import type { Receipt } from "../events/receipt.ts";
import type { CallEndEvent, SessionEvent } from "../events/session-event.ts";
import type { Store, VariableWrite } from "../store/store.ts";

/** Writes one session's events and variables to the store. */
export interface SessionLog {
  /** Resolves when the events are written. */
  append(events: readonly SessionEvent[]): MaybePromise<unknown>;
  /** Written soon, at the latest with the next `append` or `finish`, which then reports a failure once. */
  note(event: SessionEvent): void;
  /** Written soon, together with the next events; retried with each write until it succeeds. */
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
    // Deferred, so that a call ending right now can write them too. If this fails, the next write includes them.
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
    // Appending the end of a call always returns its receipt.
    finish: (event) => write([event]) as MaybePromise<Receipt>,
  };
}
