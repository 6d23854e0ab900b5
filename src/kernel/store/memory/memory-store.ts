import type { WakeListener } from "../../../machine/locks/index.ts";
import { createAppendListeners } from "../append-listeners.ts";
import { claimLost, ownershipLost, toLogEntry } from "../log-entry.ts";
import { newestOf, toEvent, toLogRow, toReceipts } from "../sql/event-row.ts";
import { type RawLogs, type Store, StoreError, type StoreMaintenance } from "../store.ts";
import { appendTo, claimsOf, eventRows, logRows, newestReceipts } from "./memory-log.ts";
import { createMemorySessions, type MemorySessions } from "./memory-sessions.ts";
import { createMemoryVariables } from "./memory-variables.ts";
import { createTextPages } from "./text-pages.ts";

export interface MemoryStoreOptions {
  /** How much text the logs of closed sessions may hold; beyond that, the oldest are forgotten. Default: 64 MB. */
  readonly maxClosedLength?: number;
}

/** A store that lasts as long as its process: the data of the SQL tables, without a database. */
export function createMemoryStore({ maxClosedLength = 2 ** 26 }: MemoryStoreOptions = {}): Store {
  const variables = createMemoryVariables();
  const sessions = createMemorySessions(variables, maxClosedLength);
  const { appends, onAppend, onAnyAppend, tellWritten } = createAppendListeners();
  const keepText = createTextPages();
  const { find, checkOpen, openSession, closeSession, listSessions } = sessions;

  return {
    isShared: false,
    lives: createOwnLife(),
    appends,
    onAppend,
    onAnyAppend,
    openSession,
    closeSession,
    listSessions,
    rawLogs: rawLogsOf(sessions),
    maintenance: maintenanceOf(sessions),

    append(sessionId, given) {
      try {
        const entry = toLogEntry(sessionId, given);
        if (entry.fence !== undefined && variables.fenceOf(sessionId) !== entry.fence)
          throw ownershipLost(sessionId);
        for (const { scope, name, text } of entry.requires)
          if (variables.textOf(scope, name) !== text) throw claimLost();
        const log = sessions.findOrMake(sessionId);
        const { textLength: before } = log;
        appendTo(log, entry, keepText);
        sessions.noteGrowth(log.textLength - before);
        for (const variable of entry.variables) variables.write(variable);
        tellWritten(sessionId);
        return entry.receipts.at(-1);
      } catch (error) {
        appends.failed += 1;
        throw error;
      }
    },

    async readEvents(sessionId, query) {
      const log = find(sessionId);
      return log === undefined ? [] : eventRows(log, query).map(toEvent);
    },

    async readReceipts({ sessionId, callId, limit = Number.MAX_SAFE_INTEGER }, onDamage) {
      const asked = sessions.all().filter(({ session: { id } }) => id === (sessionId ?? id));
      const lists = asked.map((log) => newestReceipts(log, { limit, callId }));
      return toReceipts(newestOf(lists, limit), onDamage);
    },

    readLastSequence: async (sessionId) => find(sessionId)?.head.sequence ?? 0,

    async readVariables(scope) {
      checkOpen();
      return variables.read(scope);
    },

    async listScopes(prefix) {
      checkOpen();
      return variables.listScopes(prefix);
    },

    isOwnedBy: (sessionId, fence) => variables.fenceOf(sessionId) === fence,

    async readLease(sessionId) {
      checkOpen();
      return variables.leaseOf(sessionId);
    },

    async close() {
      await sessions.close();
      variables.clear();
    },
  };
}

/** No other process sees a store in memory. */
function createOwnLife(): Store["lives"] {
  const own = "memory";
  const listeners = new Set<WakeListener>();
  return {
    own,
    isAlive: (life) => life === own,
    wake() {
      setImmediate(() => {
        for (const listener of listeners) listener(true);
      });
    },
    onWake(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function rawLogsOf({ all, find }: MemorySessions): RawLogs {
  return {
    list: async () => all().map(({ session }) => session.id),
    async readRows(sessionId, page) {
      const log = find(sessionId);
      return log === undefined ? [] : logRows(log, page).map(toLogRow);
    },
    async readClaims(sessionId) {
      const log = find(sessionId);
      return log === undefined ? { lastSequence: 0 } : claimsOf(log);
    },
  };
}

/** There is no database that could be damaged, and removed sessions are gone at once. */
function maintenanceOf({ find, checkOpen, removeSession }: MemorySessions): StoreMaintenance {
  return {
    removeSession,
    listRemoved: async () => [],
    async eraseRemoved() {},
    measureLog: async (sessionId) => find(sessionId)?.textLength ?? 0,
    async importSession() {
      throw new StoreError("a store in memory cannot take an exported session");
    },
    async compact() {},
    probe: async () => checkOpen(),
    findDamage: async () => [],
  };
}
