import { createAppendListeners } from "../append-listeners.ts";
import {
  addStatements,
  claimLost,
  closeLink,
  type LogEntry,
  lastEndOf,
  ownershipLost,
  placeEntry,
  toLogEntry,
  type VariableText,
} from "../log-entry.ts";
import { leaseScope, parseLease } from "../session-lease.ts";
import type { Store } from "../store.ts";
import { firstKey } from "./event-key.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { type LogHead, readLogHead } from "./log-head.ts";
import { findRecordedNumber, insertSession } from "./session-number.ts";
import type { SqlDriver, SqlStatement, SqlTransaction } from "./sql-driver.ts";

export interface LogWriter {
  append: Store["append"];
  onAppend: Store["onAppend"];
  onAnyAppend: Store["onAnyAppend"];
  /** Resolves when everything appended so far has been written or has failed. */
  flush(): Promise<void>;
  /** A session has a new lease, written past this. */
  forgetLease(sessionId: string): void;
  /** A session was removed, or made, past this. */
  forgetSession(sessionId: string): void;
}

// How many sessions' log ends are remembered; a runtime may see many more in its life.
const maxKnownSessions = 1000;

/** Writes entries in groups: all that are waiting when a transaction starts share its cost. */
export function createLogWriter(driver: SqlDriver, anchors: LogAnchors): LogWriter {
  const numbers = new Map<string, number>();
  const heads = new Map<string, LogHead>();
  /** Whether a log is what its anchor says. If not, the anchor is left as it is, to go on telling so. */
  const isAnchored = new Map<number, boolean>();
  const fences = new Map<string, number>();
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
    for (const sessionId of new Set(entries.map((entry) => entry.sessionId))) {
      anchor(sessionId);
      listeners.tell(sessionId);
    }
  };

  const anchor = (sessionId: string): void => {
    const [number, head] = [numbers.get(sessionId), heads.get(sessionId)];
    if (number === undefined || head === undefined || head.sequence === 0) return;
    if (isAnchored.get(number)) anchors.note(number, head);
  };

  const writeEntries = async (transaction: SqlTransaction, entries: readonly LogEntry[]): Promise<void> => {
    if (await isOutdated(transaction)) forgetAll();
    const placed: LogEntry[] = [];
    /** By session, the last entry to be written now, and the last one with a receipt. */
    const lasts = new Map<string, LogEntry>();
    const lastEnds = new Map<number, LogEntry>();
    const writePlaced = async () => {
      const statements: SqlStatement[] = [];
      for (const [sessionId, entry] of lasts) heads.set(sessionId, closeLink(entry, heads.get(sessionId)!));
      for (const entry of placed) addStatements(statements, entry, numbers.get(entry.sessionId)!);
      for (const [number, entry] of lastEnds) statements.push(chainStatement(number, entry));
      placed.length = 0;
      lasts.clear();
      lastEnds.clear();
      await transaction.run(statements);
    };
    for (const entry of entries) {
      if (entry.fence !== undefined && fences.get(entry.sessionId) !== entry.fence) {
        const fence = await readFence(transaction, entry.sessionId);
        fences.set(entry.sessionId, fence);
        if (fence !== entry.fence) entry.refusal = ownershipLost(entry.sessionId);
      }
      if (entry.requires.length > 0 && entry.refusal === undefined) {
        // What was appended before it counts.
        await writePlaced();
        if (!(await holds(transaction, entry.requires))) entry.refusal = claimLost();
      }
      if (entry.refusal !== undefined) continue;
      const number = numbers.get(entry.sessionId) ?? (await learnNumber(transaction, entry));
      const head =
        heads.get(entry.sessionId) ?? (await learnHead(transaction, { id: entry.sessionId, number }));
      heads.set(entry.sessionId, placeEntry(entry, head));
      placed.push(entry);
      if (entry.events.length > 0) lasts.set(entry.sessionId, entry);
      if (entry.receipts.length > 0) lastEnds.set(number, entry);
    }
    await writePlaced();
  };

  /** The remembered ends hold until another process writes, which none can during the transaction. */
  const isOutdated = async (transaction: SqlTransaction): Promise<boolean> => {
    if (numbers.size > maxKnownSessions) {
      isAnchored.clear();
      return true;
    }
    const before = changeCount;
    changeCount = await transaction.changeCount?.();
    return changeCount === undefined || changeCount !== before;
  };

  const forgetAll = (): void => {
    numbers.clear();
    heads.clear();
    fences.clear();
  };

  const learnNumber = async (transaction: SqlTransaction, { sessionId, at }: LogEntry): Promise<number> => {
    const number =
      (await findRecordedNumber(transaction.query, sessionId)) ??
      (await insertSession(transaction, { id: sessionId, taskId: sessionId, workspace: "", at }, anchors));
    numbers.set(sessionId, number);
    return number;
  };

  const learnHead = async (
    { query }: SqlTransaction,
    { id, number }: { id: string; number: number },
  ): Promise<LogHead> => {
    const isKnown = isAnchored.get(number) === true;
    const anchor = isKnown ? undefined : anchors.read(number);
    const head = await readLogHead(query, { id, number, anchor });
    if (isKnown || anchor === undefined) isAnchored.set(number, true);
    else if (anchor === null) isAnchored.set(number, false);
    else {
      const [row] = await query("SELECT hash FROM events WHERE key = ?", [
        firstKey(number) + anchor.sequence,
      ]);
      // An anchor of events that are gone has done its part: the gap that they leave is seen in the log itself.
      isAnchored.set(number, row === undefined || row.hash === anchor.hash);
    }
    return head;
  };

  return {
    onAppend: listeners.add,
    onAnyAppend: listeners.addForAll,
    forgetLease: (sessionId) => fences.delete(sessionId),
    forgetSession(sessionId) {
      numbers.delete(sessionId);
      heads.delete(sessionId);
      fences.delete(sessionId);
    },

    async flush() {
      await write().catch(() => {});
    },

    async append(sessionId, given) {
      const entry = toLogEntry(sessionId, given);
      waiting.push(entry);
      await write();
      if (entry.refusal !== undefined) throw entry.refusal;
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

async function readFence({ query }: SqlTransaction, sessionId: string): Promise<number> {
  const [row] = await query(selectVariable, [leaseScope, sessionId]);
  return row === undefined ? 0 : parseLease(row.value).fence;
}

const selectVariable = "SELECT value FROM variables WHERE scope = ? AND name = ?";
const upsertChain = `INSERT INTO chains (session_number, receipts, sequence, hash, last_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (session_number) DO UPDATE SET receipts = excluded.receipts, sequence = excluded.sequence,
    hash = excluded.hash, last_at = excluded.last_at`;

/** The chain ends with the last entry in which a call ended. */
function chainStatement(sessionNumber: number, entry: LogEntry): SqlStatement {
  const { position, hash } = entry.receipts.at(-1)!;
  return { sql: upsertChain, values: [sessionNumber, position, lastEndOf(entry), hash, entry.at] };
}
