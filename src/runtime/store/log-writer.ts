import { addStatements, type LogEntry, placeEntry, toLogEntry } from "./log-entry.ts";
import { emptyHead, type LogHead, readHead } from "./log-head.ts";
import { findRecordedNumber, insertSession } from "./session-number.ts";
import type { SqlDriver, SqlStatement, SqlTransaction } from "./sql-driver.ts";
import type { Store } from "./store.ts";

export interface LogWriter {
  append: Store["append"];
  onAppend: Store["onAppend"];
  /** Everything appended so far is in the database, or its append has been told why not, when this returns. */
  flush(): Promise<void>;
}

// How much a private database may lag behind, and how long; it dies with the process anyway, so nothing is at risk.
const maxWaitingEntries = 128;
const maxWaitingMs = 20;
// Of so many sessions at most it is remembered where they end; a runtime may see many more in its life.
const maxKnownSessions = 1000;

/** Writes entries in groups: all that have come up by the time a transaction starts share its cost. */
export function createLogWriter(driver: SqlDriver): LogWriter {
  const numbers = new Map<string, number>();
  const heads = new Map<string, LogHead>();
  const listeners = new Map<string, Set<() => void>>();
  let changeCount: number | undefined;
  let waiting: LogEntry[] = [];
  let scheduled: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  let failure: unknown;

  const write = (): Promise<void> => {
    if (waiting.length === 0) return running;
    scheduled ??= running.then(writeWaiting, writeWaiting);
    running = scheduled;
    return scheduled;
  };

  /** Somebody who listens wants to hear now; a reader finds everything in any case. */
  const writeSoon = (): void => {
    const start = () => void write().catch(() => {});
    if (listeners.size > 0) setImmediate(start);
    else setTimeout(start, maxWaitingMs).unref();
  };

  const writeWaiting = async (): Promise<void> => {
    const entries = waiting;
    waiting = [];
    scheduled = undefined;
    try {
      await driver.transaction((transaction) => writeEntries(transaction, entries));
    } catch (error) {
      forgetAll();
      // The entries of a private database have their places already; nothing can follow where they are missing.
      if (driver.isPrivate) failure = error;
      throw error;
    }
    if (listeners.size > 0) tellListeners(entries);
  };

  const writeEntries = async (transaction: SqlTransaction, entries: readonly LogEntry[]): Promise<void> => {
    if (await isOutdated(transaction)) forgetAll();
    const statements: SqlStatement[] = [];
    const lastEnds = new Map<number, LogEntry>();
    for (const entry of entries) {
      const number = numbers.get(entry.sessionId) ?? (await learnNumber(transaction, entry));
      if (!driver.isPrivate) {
        const head = heads.get(entry.sessionId) ?? (await readHead(transaction.query, number));
        heads.set(entry.sessionId, placeEntry(entry, head));
      }
      addStatements(statements, entry, number);
      if (entry.receipts.length > 0) lastEnds.set(number, entry);
    }
    for (const [number, entry] of lastEnds) statements.push(chainStatement(number, entry));
    await transaction.run(statements);
  };

  /** What is known holds for as long as nobody else has written; while the transaction lasts, nobody can. */
  const isOutdated = async (transaction: SqlTransaction): Promise<boolean> => {
    if (numbers.size > maxKnownSessions) return true;
    if (driver.isPrivate) return false;
    const before = changeCount;
    changeCount = await transaction.changeCount?.();
    return changeCount === undefined || changeCount !== before;
  };

  const forgetAll = (): void => {
    numbers.clear();
    // In a private database the entries that wait are ahead of what could be read.
    if (!driver.isPrivate) heads.clear();
  };

  const learnNumber = async (transaction: SqlTransaction, { sessionId, at }: LogEntry): Promise<number> => {
    const number =
      (await findRecordedNumber(transaction.query, sessionId)) ??
      (await insertSession(transaction, { id: sessionId, taskId: sessionId, workspace: "", at }));
    numbers.set(sessionId, number);
    return number;
  };

  const tellListeners = (entries: readonly LogEntry[]): void => {
    for (const sessionId of new Set(entries.map((entry) => entry.sessionId))) {
      for (const listener of listeners.get(sessionId) ?? []) listener();
    }
  };

  return {
    async flush() {
      await write().catch(() => {});
      if (failure !== undefined) throw failure;
    },

    append(sessionId, given) {
      if (failure !== undefined) throw failure;
      const entry = toLogEntry(sessionId, given);
      waiting.push(entry);
      if (driver.isPrivate) {
        heads.set(sessionId, placeEntry(entry, heads.get(sessionId) ?? emptyHead));
        if (waiting.length === 1) writeSoon();
        if (waiting.length < maxWaitingEntries) return entry.receipts.at(-1);
      }
      return write().then(() => entry.receipts.at(-1));
    },

    onAppend(sessionId, listener) {
      const group = listeners.get(sessionId) ?? new Set();
      listeners.set(sessionId, group.add(listener));
      return () => {
        group.delete(listener);
        if (group.size === 0) listeners.delete(sessionId);
      };
    },
  };
}

const upsertChain = `INSERT INTO chains VALUES (?, ?, ?, ?) ON CONFLICT (session_number)
  DO UPDATE SET receipts = excluded.receipts, hash = excluded.hash, last_at = excluded.last_at`;

/** The end of the chain is that of the last entry in which a call ended. */
function chainStatement(sessionNumber: number, { at, receipts }: LogEntry): SqlStatement {
  const { position, hash } = receipts.at(-1)!;
  return { sql: upsertChain, values: [sessionNumber, position, hash, at] };
}
