import { after, type MaybePromise, orElse } from "../../../shared/maybe-promise.ts";
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
import type { Entry, SessionLease, StoreError } from "../store.ts";
import { firstKey } from "./event-key.ts";
import type { LogAnchors } from "./log-anchors.ts";
import { type LogHead, readLogHead } from "./log-head.ts";
import { findRecordedNumber, insertSession } from "./session-number.ts";
import type { SqlDriver, SqlQuery, SqlStatement, SqlTransaction } from "./sql-driver.ts";

export type LogWriter = ReturnType<typeof createLogWriter>;

/** Writes entries in groups: all that are waiting when a transaction starts share its cost. */
export function createLogWriter(driver: SqlDriver, anchors: LogAnchors) {
  const logs = createKnownLogs(anchors);
  const { appends, onAppend, onAnyAppend, tellWritten } = createAppendListeners();
  let waiting: LogEntry[] = [];
  let scheduled: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();

  const write = (): Promise<void> => {
    if (waiting.length === 0) return running;
    scheduled ??= running.then(writeWaiting, writeWaiting);
    running = scheduled;
    return scheduled;
  };

  const writeWaiting = (): MaybePromise<void> => {
    const entries = waiting;
    waiting = [];
    scheduled = undefined;
    const fail = (error: unknown) => {
      logs.forgetAll();
      throw error;
    };
    const anchor = () => {
      for (const sessionId of sessionsOf(entries)) logs.anchor(sessionId);
    };
    const writeAll = () => driver.transaction((transaction) => writeEntries(transaction, entries));
    return orElse(() => after(writeAll(), anchor), fail);
  };

  /**
   * Writes entries at once as long as the ends of their logs are remembered, which is almost always so: waiting costs
   * more than the rest.
   */
  const writeEntries = (transaction: SqlTransaction, entries: readonly LogEntry[]): MaybePromise<void> =>
    after(transaction.changeCount(), (count) => {
      logs.forgetOutdated(count);
      const group: PlacedEntry[] = [];
      for (let done = 0; done < entries.length; done++) {
        const entry = entries[done]!;
        const log = logs.get(entry.sessionId);
        if (!isKnown(log, entry)) return writeUnknown(transaction, entries.slice(done), group);
        group.push(place(entry, log));
      }
      return transaction.run(takeStatements(group));
    });

  const writeUnknown = async (
    transaction: SqlTransaction,
    entries: readonly LogEntry[],
    group: PlacedEntry[],
  ): Promise<void> => {
    for (const entry of entries) {
      const log = logs.get(entry.sessionId);
      entry.refusal = await findRefusal(transaction, entry, { log, group });
      if (entry.refusal !== undefined) continue;
      const known = log ?? (await logs.learn(transaction, entry));
      known.fence = entry.fence ?? known.fence;
      group.push(place(entry, known));
    }
    await transaction.run(takeStatements(group));
  };

  const findRefusal = async (
    transaction: SqlTransaction,
    { sessionId, fence, requires }: LogEntry,
    { log, group }: { log: KnownLog | undefined; group: PlacedEntry[] },
  ): Promise<StoreError | undefined> => {
    if (fence !== undefined && log?.fence !== fence) {
      const lease = await findLease(transaction.query, sessionId);
      if ((lease?.fence ?? 0) !== fence) return ownershipLost(sessionId);
    }
    if (requires.length === 0) return undefined;
    // Earlier entries of the group are written first, because the requirements may depend on them.
    await transaction.run(takeStatements(group));
    return (await holds(transaction, requires)) ? undefined : claimLost();
  };

  return {
    appends,
    onAppend,
    onAnyAppend,
    /** Forgets a session that other code has made or removed, or given a new lease. */
    forget: logs.forget,

    /** Resolves when everything appended so far has been written or has failed. */
    async flush() {
      await write().catch(() => {});
    },

    async append(sessionId: string, given: Entry) {
      try {
        const entry = toLogEntry(sessionId, given);
        waiting.push(entry);
        await write();
        if (entry.refusal !== undefined) throw entry.refusal;
        tellWritten(sessionId);
        return entry.receipts.at(-1);
      } catch (error) {
        appends.failed += 1;
        throw error;
      }
    },
  };
}

interface PlacedEntry {
  readonly entry: LogEntry;
  readonly log: KnownLog;
}

function isKnown(log: KnownLog | undefined, { fence, requires }: LogEntry): log is KnownLog {
  return log !== undefined && requires.length === 0 && (fence === undefined || log.fence === fence);
}

/** Gives an entry its place at the end of its log. */
function place(entry: LogEntry, log: KnownLog): PlacedEntry {
  log.head = placeEntry(entry, log.head);
  return { entry, log };
}

/** The statements that write the entries, which are removed from the list. */
function takeStatements(group: PlacedEntry[]): readonly SqlStatement[] {
  // From the last one: it closes the link of its log, and the last receipt of each is recorded as its end.
  const chains: SqlStatement[] = [];
  const ended = new Set<KnownLog>();
  for (const { entry, log } of group.toReversed()) {
    if (entry.events.length > 0) log.head = closeLink(entry, log.head);
    if (entry.receipts.length === 0 || ended.has(log)) continue;
    ended.add(log);
    chains.push(chainStatement(log.number, entry));
  }
  const statements: SqlStatement[] = [];
  for (const { entry, log } of group) addStatements(statements, entry, log.number);
  group.length = 0;
  statements.push(...chains);
  return statements;
}

function sessionsOf(entries: readonly LogEntry[]): Iterable<string> {
  const [first] = entries;
  return entries.length === 1 ? [first!.sessionId] : new Set(entries.map(({ sessionId }) => sessionId));
}

async function holds({ query }: SqlTransaction, required: readonly VariableText[]): Promise<boolean> {
  for (const { scope, name, text } of required) {
    const [row] = await query(selectVariable, [scope, name]);
    if (row?.value !== text) return false;
  }
  return true;
}

/** The lease of a session, if a process has ever owned it. */
export async function findLease(query: SqlQuery, sessionId: string): Promise<SessionLease | undefined> {
  const [row] = await query(selectVariable, [leaseScope, sessionId]);
  return row === undefined ? undefined : parseLease(row.value);
}

export const selectVariable = "SELECT value FROM variables WHERE scope = ? AND name = ?";
const upsertChain = `INSERT INTO chains (session_number, receipts, sequence, hash, last_at) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (session_number) DO UPDATE SET receipts = excluded.receipts, sequence = excluded.sequence,
    hash = excluded.hash, last_at = excluded.last_at`;

/** The chain ends with the last entry in which a call ended. */
function chainStatement(sessionNumber: number, entry: LogEntry): SqlStatement {
  const { position, hash } = entry.receipts.at(-1)!;
  return { sql: upsertChain, values: [sessionNumber, position, lastEndOf(entry), hash, entry.at] };
}

/** The known end of a log, so that it need not be read before each entry. */
interface KnownLog {
  readonly number: number;
  head: LogHead;
  /** The number of its session's lease, if a writer has relied on it. */
  fence: number | undefined;
}

// How many sessions' log ends are remembered; a runtime may see many more in its life.
const maxKnownSessions = 1000;

/** The ends of the logs that this process has written to. They hold until another process writes. */
function createKnownLogs(anchors: LogAnchors) {
  const logs = new Map<string, KnownLog>();
  /**
   * By number, whether a log fits its anchor. An anchor that a log does not fit stays as it is, and goes on telling of
   * the loss.
   */
  const isAnchored = new Map<number, boolean>();
  let changeCount: number | undefined;

  const readHead = async ({ query }: SqlTransaction, id: string, number: number): Promise<LogHead> => {
    const isSure = isAnchored.get(number) === true;
    const anchor = isSure ? undefined : anchors.read(number);
    const head = await readLogHead(query, { id, number, anchor });
    if (isSure || anchor === undefined) isAnchored.set(number, true);
    else if (anchor === null) isAnchored.set(number, false);
    else {
      const key = firstKey(number) + anchor.sequence;
      const [row] = await query("SELECT hash FROM events WHERE key = ?", [key]);
      // An anchor of events that are gone has done its part: the gap that they leave is seen in the log itself.
      isAnchored.set(number, row === undefined || row.hash === anchor.hash);
    }
    return head;
  };

  return {
    get: (sessionId: string) => logs.get(sessionId),
    forget: (sessionId: string) => void logs.delete(sessionId),
    forgetAll: () => logs.clear(),

    /** Reads the end of an entry's log, and records its session if there is none. */
    async learn(transaction: SqlTransaction, { sessionId: id, at }: LogEntry): Promise<KnownLog> {
      const number =
        (await findRecordedNumber(transaction.query, id)) ??
        (await insertSession(transaction, { id, taskId: id, workspace: "", at }, anchors));
      const log = { number, head: await readHead(transaction, id, number), fence: undefined };
      logs.set(id, log);
      return log;
    },

    /** Forgets the ends if another process has written, which none can during a transaction. */
    forgetOutdated(count: number) {
      if (logs.size > maxKnownSessions) isAnchored.clear();
      else if (count === changeCount) return;
      changeCount = count;
      logs.clear();
    },

    /** Notes the end of a log beside the store. */
    anchor(sessionId: string) {
      const log = logs.get(sessionId);
      if (log === undefined || log.head.sequence === 0) return;
      if (isAnchored.get(log.number)) anchors.note(log.number, log.head);
    },
  };
}
