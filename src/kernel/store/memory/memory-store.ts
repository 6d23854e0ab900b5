import type { WakeListener } from "../../../machine/locks/process-lives.ts";
import { isoTime } from "../../../shared/iso-time.ts";
import { parseFrozen } from "../../../shared/parse-frozen.ts";
import { createAppendListeners } from "../append-listeners.ts";
import { taskScope } from "../kept/kept-kind.ts";
import { claimLost, ownershipLost, toLogEntry } from "../log-entry.ts";
import { newestOf } from "../newest-of.ts";
import { leaseScope, parseLease } from "../session-lease.ts";
import { toEvent, toLogRow, toReceipts } from "../sql/event-row.ts";
import { StoreError } from "../sql/sql-driver.ts";
import type { OpenedRecord, SessionLease, SessionRecord, Store } from "../store.ts";
import {
  appendTo,
  claimsOf,
  createMemoryLog,
  eventRows,
  logRows,
  type MemoryLog,
  newestReceipts,
  recordOf,
} from "./memory-log.ts";
import { createTextPages } from "./text-pages.ts";

export interface MemoryStoreOptions {
  /** How much text the logs of closed sessions may hold; beyond that, the oldest are forgotten. Default: 64 MB. */
  readonly maxClosedLength?: number;
}

/** A store that lasts as long as its process: the data of the SQL tables, without a database. */
export function createMemoryStore({ maxClosedLength = 2 ** 26 }: MemoryStoreOptions = {}): Store {
  const logs = new Map<string, MemoryLog>();
  const variables = new Map<string, Map<string, string>>();
  const listeners = createAppendListeners();
  /** Those of the leases, which are written far less often than they are compared. */
  const fences = new Map<string, number>();
  const wakeListeners = new Set<WakeListener>();
  const keepText = createTextPages();
  /** How much more text may be written before the logs of closed sessions can be too long. */
  let room = maxClosedLength;
  let isOpen = true;
  const findLog = (id: string): MemoryLog | undefined => {
    checkOpen();
    return logs.get(id);
  };
  const checkOpen = () => {
    if (!isOpen) throw new StoreError("the store is not open");
  };
  const scopeOf = (scope: string): Map<string, string> => {
    const known = variables.get(scope) ?? new Map<string, string>();
    variables.set(scope, known);
    return known;
  };
  const leaseOf = (id: string): SessionLease | undefined => {
    const text = variables.get(leaseScope)?.get(id);
    return text === undefined ? undefined : parseLease(text);
  };
  const fenceOf = (id: string): number | undefined => {
    const fence = fences.get(id) ?? leaseOf(id)?.fence;
    if (fence !== undefined) fences.set(id, fence);
    return fence;
  };
  const recordWithOwner = (log: MemoryLog): SessionRecord => {
    const owner = leaseOf(log.session.id)?.owner;
    return { ...recordOf(log), ...(owner && { owner }) };
  };
  let madeLogs = 0;
  const makeLog = (session: OpenedRecord): MemoryLog => {
    madeLogs += 1;
    const log = createMemoryLog(madeLogs, session);
    logs.set(session.id, log);
    return log;
  };
  /** What belongs to a session is in scopes that end with its id; others may work on the same task. */
  const forgetVariables = ({ id, taskId }: Pick<SessionRecord, "id" | "taskId">) => {
    const isTaskNeeded = [...logs.values()].some(({ session }) => session.taskId === taskId);
    for (const scope of variables.keys()) {
      const isOwn = scope.startsWith(`${taskScope}:`)
        ? scope === `${taskScope}:${taskId}` && !isTaskNeeded
        : scope.endsWith(`:${id}`);
      if (isOwn) variables.delete(scope);
    }
    variables.get(leaseScope)?.delete(id);
    fences.delete(id);
  };
  const forgetOldest = () => {
    if (room >= 0) return;
    const closed = [...logs.values()].filter(({ session }) => session.closedAt !== undefined);
    let length = closed.reduce((sum, { textLength }) => sum + textLength, 0);
    for (const { session, textLength } of closed.sort(firstClosedFirst)) {
      if (length <= maxClosedLength) break;
      length -= textLength;
      logs.delete(session.id);
      forgetVariables(session);
    }
    room = [...logs.values()].reduce((left, { textLength }) => left - textLength, maxClosedLength);
  };

  return {
    isShared: false,
    lives: {
      own: ownLife,
      isAlive: (life) => life === ownLife,
      wake() {
        setImmediate(() => {
          for (const listener of wakeListeners) listener(true);
        });
      },
      onWake(listener) {
        wakeListeners.add(listener);
        return () => wakeListeners.delete(listener);
      },
    },
    onAppend: listeners.add,
    onAnyAppend: listeners.addForAll,

    append(sessionId, given) {
      const entry = toLogEntry(sessionId, given);
      if (entry.fence !== undefined && fenceOf(sessionId) !== entry.fence) throw ownershipLost(sessionId);
      for (const { scope, name, text } of entry.requires) {
        if (variables.get(scope)?.get(name) !== text) throw claimLost();
      }
      const log = findLog(sessionId) ?? makeLog({ id: sessionId, workspace: "" });
      const { textLength: before } = log;
      appendTo(log, entry, keepText);
      room -= log.textLength - before;
      for (const { scope, name, text } of entry.variables) {
        if (scope === leaseScope) fences.delete(name);
        if (text === undefined) scopeOf(scope).delete(name);
        else scopeOf(scope).set(name, text);
      }
      listeners.tell(sessionId);
      return entry.receipts.at(-1);
    },

    isOwnedBy: (sessionId, fence) => fenceOf(sessionId) === fence,

    async openSession(session) {
      const known = findLog(session.id);
      if (known !== undefined) session.check?.(recordWithOwner(known));
      const dialect = session.chooseDialect?.(known?.session.dialect);
      const lease = session.takeLease?.(leaseOf(session.id));
      if (lease !== undefined) {
        scopeOf(leaseScope).set(session.id, JSON.stringify(lease));
        fences.set(session.id, lease.fence);
      }
      const log = known ?? makeLog(session);
      const { closedAt: _, ...rest } = log.session;
      log.session = { ...rest, openedAt: isoTime(), ...(dialect !== undefined && { dialect }) };
      return { ...recordWithOwner(log), resumed: known !== undefined };
    },

    async closeSession(id) {
      const log = findLog(id);
      if (log !== undefined) log.session = { ...log.session, closedAt: isoTime() };
      forgetOldest();
    },

    async listSessions() {
      checkOpen();
      return [...logs.values()].map(recordWithOwner).sort(lastOpenedFirst);
    },

    async removeSession({ id, openedAt, closedAt }) {
      const log = findLog(id);
      if (log?.session.openedAt !== openedAt || log.session.closedAt !== closedAt) return false;
      logs.delete(id);
      forgetVariables(log.session);
      return true;
    },

    listRemoved: async () => [],
    async eraseRemoved() {},

    measureLog: async (sessionId) => findLog(sessionId)?.textLength ?? 0,

    async importSession() {
      throw new StoreError("a store in memory cannot take an exported session");
    },

    async compact() {},
    probe: async () => checkOpen(),
    findDamage: async () => [],

    async readEvents(sessionId, query) {
      const log = findLog(sessionId);
      return log === undefined ? [] : eventRows(log, query).map(toEvent);
    },

    async readReceipts({ sessionId, callId, limit = Number.MAX_SAFE_INTEGER }, onDamage) {
      checkOpen();
      const asked = [...logs.values()].filter(({ session: { id } }) => id === (sessionId ?? id));
      const lists = asked.map((log) => newestReceipts(log, { limit, callId }));
      return toReceipts(newestOf(lists, limit), onDamage);
    },

    async readLogRows(sessionId, page) {
      const log = findLog(sessionId);
      return log === undefined ? [] : logRows(log, page).map(toLogRow);
    },

    async readLogClaims(sessionId) {
      const log = findLog(sessionId);
      return log === undefined ? { lastSequence: 0 } : claimsOf(log);
    },

    async listLogs() {
      checkOpen();
      return [...logs.keys()];
    },

    readLastSequence: async (sessionId) => findLog(sessionId)?.head.sequence ?? 0,

    async readLease(sessionId) {
      checkOpen();
      return leaseOf(sessionId);
    },

    async readVariables(scope) {
      checkOpen();
      const texts = variables.get(scope) ?? [];
      return new Map([...texts].map(([name, text]) => [name, parseFrozen(text)]));
    },

    async listScopes(prefix) {
      checkOpen();
      return [...variables.keys()].filter(
        (scope) => scope.startsWith(prefix) && variables.get(scope)!.size > 0,
      );
    },

    async close() {
      isOpen = false;
      logs.clear();
      variables.clear();
    },
  };
}

// No other process sees a store in memory.
const ownLife = "memory";

function firstClosedFirst(left: MemoryLog, right: MemoryLog): number {
  return (left.session.closedAt ?? "") < (right.session.closedAt ?? "") ? -1 : 1;
}

function lastOpenedFirst(left: SessionRecord, right: SessionRecord): number {
  if (left.openedAt !== right.openedAt) return left.openedAt > right.openedAt ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}
