import { type MaybePromise, orElse } from "../../shared/maybe-promise.ts";
import type { CallEndEvent, Receipt, SessionEvent } from "../events/index.ts";
import { type Entry, OwnershipLost, type Store, type VariableWrite } from "../store/index.ts";
import { sessionLost } from "./own-session.ts";

/** Writes one session's events and variables to the store. */
export interface SessionLog {
  /** Resolves when the events are written. */
  append(events: readonly SessionEvent[]): MaybePromise<unknown>;
  /**
   * Written soon, at the latest with the next `append` or `finish`, which then reports a failure once. The promise is
   * settled when the event is written, or cannot be; it never rejects.
   */
  note(event: SessionEvent): MaybePromise<unknown>;
  /** Written soon, together with the next events; retried with each write until it succeeds. */
  noteVariable(write: VariableWrite): void;
  /** With `more`, these events are written together with the end of the call. */
  finish(event: CallEndEvent, more?: readonly SessionEvent[]): MaybePromise<Receipt>;
  /** Writes events, variables and claims together, after all that was noted before. */
  commit(entry: Omit<Entry, "fence">): Promise<void>;
  /** Resolves when all variables noted so far are written. */
  flush(): Promise<void>;
  /** Throws if another process owns the session by now. Called just before each change outside of the store. */
  confirmOwner(): void;
  /** Whether the end of a call could not be written, so that the call has none. */
  hasLostEnd(): boolean;
}

export interface LogOwner {
  /** The number of the lease that everything is written under. */
  readonly fence: number;
  /** Called when a write is refused, because another process owns the session. */
  onLost(): void;
}

/** Creates the log of a session. Without an owner, only for a session that no process has open. */
export function createSessionLog(
  store: Pick<Store, "append" | "isOwnedBy">,
  sessionId: string,
  owner?: LogOwner,
): SessionLog {
  let variables = new Map<string, VariableWrite>();
  let isWriteScheduled = false;
  /** Writes of variables that have begun. */
  const underway = new Set<Promise<unknown>>();
  let failure: { readonly error: unknown } | undefined;
  let hasLostEnd = false;

  const put = (entry: Entry): MaybePromise<Receipt | undefined> => {
    if (owner === undefined) return store.append(sessionId, entry);
    return orElse(() => store.append(sessionId, { ...entry, fence: owner.fence }), refuse);
  };

  const refuse = (error: unknown): never => {
    if (!(error instanceof OwnershipLost)) throw error;
    owner?.onLost();
    throw sessionLost(sessionId, error);
  };

  const write = (events: readonly SessionEvent[]): MaybePromise<Receipt | undefined> => {
    if (failure !== undefined) {
      const { error } = failure;
      failure = undefined;
      throw error;
    }
    return variables.size === 0 ? put({ events }) : writeWithVariables(events);
  };

  const writeWithVariables = (events: readonly SessionEvent[]): MaybePromise<Receipt | undefined> => {
    const written = variables;
    variables = new Map();
    const takeBack = (error: unknown): never => {
      variables = new Map([...written, ...variables]);
      throw error;
    };
    const putting = orElse(() => put({ events, variables: [...written.values()] }), takeBack);
    return putting instanceof Promise ? noteUnderway(underway, putting) : putting;
  };

  const writeVariables = async (): Promise<void> => {
    if (variables.size > 0) await writeWithVariables([]);
  };

  const writeVariablesSoon = () => {
    if (isWriteScheduled) return;
    isWriteScheduled = true;
    // Deferred, so that a call ending right now can write them too. If this fails, the next write includes them.
    setImmediate(() => {
      isWriteScheduled = false;
      writeVariables().catch(() => {});
    });
  };

  return {
    append: write,
    note(event) {
      const fail = (error: unknown) => {
        failure = { error };
      };
      return orElse<unknown>(() => put({ events: [event] }), fail);
    },
    noteVariable(variable) {
      writeVariablesSoon();
      variables.set(`${variable.scope}\n${variable.name}`, variable);
    },
    finish(event, more = []) {
      const lose = (error: unknown): never => {
        hasLostEnd = true;
        throw error;
      };
      // Appending the end of a call always returns its receipt.
      return orElse(() => write([event, ...more]) as MaybePromise<Receipt>, lose);
    },
    confirmOwner() {
      if (owner === undefined || store.isOwnedBy(sessionId, owner.fence)) return;
      owner.onLost();
      throw sessionLost(sessionId);
    },
    hasLostEnd: () => hasLostEnd,
    async commit(entry) {
      // A separate entry, which a lost claim does not take with it. The store writes both in one transaction.
      const [noted, committed] = await Promise.allSettled([writeVariables(), (async () => put(entry))()]);
      for (const written of [committed, noted]) if (written.status === "rejected") throw written.reason;
    },
    async flush() {
      await Promise.allSettled(underway);
      await writeVariables();
    },
  };
}

function noteUnderway<Result>(underway: Set<Promise<unknown>>, work: Promise<Result>): Promise<Result> {
  const forget = () => underway.delete(work);
  underway.add(work);
  work.then(forget, forget);
  return work;
}
