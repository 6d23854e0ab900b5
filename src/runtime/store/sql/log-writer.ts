import { createAppendListeners } from "../append-listeners.ts";
import {
  addStatements,
  claimLost,
  type LogEntry,
  placeEntry,
  toLogEntry,
  type VariableText,
} from "../log-entry.ts";
import type { Store } from "../store.ts";
import { type LogHead, readLogHead } from "./log-head.ts";
import { findRecordedNumber, insertSession } from "./session-number.ts";
import type { SqlDriver, SqlStatement, SqlTransaction } from "./sql-driver.ts";

export interface LogWriter {
  append: Store["append"];
  onAppend: Store["onAppend"];
  /** Resolves when everything appended so far has been written or has failed. */
  flush(): Promise<void>;
}

// How many sessions' log ends are remembered; a runtime may see many more in its life.
const maxKnownSessions = 1000;

/** Writes entries in groups: all that are waiting when a transaction starts share its cost. */
export function createLogWriter(driver: SqlDriver): LogWriter {
  const numbers = new Map<string, number>();
  const heads = new Map<string, LogHead>();
  const listeners = createAppendListeners();
  let changeCount: number | undefined;
  let waiting: LogEntry[] = [];
  let scheduled: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();

  const write = (): Promise<void> => {
    if (waiting.length === 0) return running;
    scheduled ??= running.then(writeWaiting, writeWaiting);
    running = scheduled;
    return scheduled;
  };

  const writeWaiting = async (): Promise<void> => {
    const entries = waiting;
    waiting = [];
    scheduled = undefined;
    try {
      await driver.transaction((transaction) => writeEntries(transaction, entries));
    } catch (error) {
      forgetAll();
      throw error;
    }
    for (const sessionId of new Set(entries.map((entry) => entry.sessionId))) listeners.tell(sessionId);
  };

  const writeEntries = async (transaction: SqlTransaction, entries: readonly LogEntry[]): Promise<void> => {
    if (await isOutdated(transaction)) forgetAll();
    const statements: SqlStatement[] = [];
    const lastEnds = new Map<number, LogEntry>();
    for (const entry of entries) {
      if (entry.requires.length > 0) {
        // What was appended before it counts.
        await transaction.run(statements.splice(0));
        entry.isRefused = !(await holds(transaction, entry.requires));
        if (entry.isRefused) continue;
      }
      const number = numbers.get(entry.sessionId) ?? (await learnNumber(transaction, entry));
      const head = heads.get(entry.sessionId) ?? (await readLogHead(transaction.query, number));
      heads.set(entry.sessionId, placeEntry(entry, head));
      addStatements(statements, entry, number);
      if (entry.receipts.length > 0) lastEnds.set(number, entry);
    }
    for (const [number, entry] of lastEnds) statements.push(chainStatement(number, entry));
    await transaction.run(statements);
  };

  /** The remembered ends hold until another process writes, which none can during the transaction. */
  const isOutdated = async (transaction: SqlTransaction): Promise<boolean> => {
    if (numbers.size > maxKnownSessions) return true;
    const before = changeCount;
    changeCount = await transaction.changeCount?.();
    return changeCount === undefined || changeCount !== before;
  };

  const forgetAll = (): void => {
    numbers.clear();
    heads.clear();
  };

  const learnNumber = async (transaction: SqlTransaction, { sessionId, at }: LogEntry): Promise<number> => {
    const number =
      (await findRecordedNumber(transaction.query, sessionId)) ??
      (await insertSession(transaction, { id: sessionId, taskId: sessionId, workspace: "", at }));
    numbers.set(sessionId, number);
    return number;
  };

  return {
    onAppend: listeners.add,

    async flush() {
      await write().catch(() => {});
    },

    async append(sessionId, given) {
      const entry = toLogEntry(sessionId, given);
      waiting.push(entry);
      await write();
      if (entry.isRefused) throw claimLost();
      return entry.receipts.at(-1);
    },
  };
}

async function holds({ query }: SqlTransaction, required: readonly VariableText[]): Promise<boolean> {
  for (const { scope, name, text } of required) {
    const [row] = await query(selectVariable, [scope, name]);
    if (row?.value !== text) return false;
  }
  return true;
}

const selectVariable = "SELECT value FROM variables WHERE scope = ? AND name = ?";
const upsertChain = `INSERT INTO chains VALUES (?, ?, ?, ?) ON CONFLICT (session_number)
  DO UPDATE SET receipts = excluded.receipts, hash = excluded.hash, last_at = excluded.last_at`;

/** The chain ends with the last entry in which a call ended. */
function chainStatement(sessionNumber: number, { at, receipts }: LogEntry): SqlStatement {
  const { position, hash } = receipts.at(-1)!;
  return { sql: upsertChain, values: [sessionNumber, position, hash, at] };
}
