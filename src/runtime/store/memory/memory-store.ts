import { isoTime } from "../../../shared/iso-time.ts";
import { parseFrozen } from "../../../shared/parse-frozen.ts";
import { createAppendListeners } from "../append-listeners.ts";
import { claimLost, toLogEntry } from "../log-entry.ts";
import { newestOf } from "../newest-of.ts";
import { toEvent, toLogRow, toReceipts } from "../sql/event-row.ts";
import { StoreError } from "../sql/sql-driver.ts";
import type { OpenedRecord, SessionRecord, Store } from "../store.ts";
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

/** A store that lasts as long as its process: the data of the SQL tables, without a database. */
export function createMemoryStore(): Store {
  const logs = new Map<string, MemoryLog>();
  const variables = new Map<string, Map<string, string>>();
  const listeners = createAppendListeners();
  const keepText = createTextPages();
  let isOpen = true;
  const findLog = (id: string): MemoryLog | undefined => {
    checkOpen();
    return logs.get(id);
  };
  const checkOpen = () => {
    if (!isOpen) throw new StoreError("the store is not open");
  };
  const makeLog = (session: OpenedRecord): MemoryLog => {
    const log = createMemoryLog(logs.size + 1, session);
    logs.set(session.id, log);
    return log;
  };

  return {
    isShared: false,
    lives: { own: ownLife, isAlive: (life) => life === ownLife },
    onAppend: listeners.add,

    append(sessionId, given) {
      const entry = toLogEntry(sessionId, given);
      for (const { scope, name, text } of entry.requires) {
        if (variables.get(scope)?.get(name) !== text) throw claimLost();
      }
      const log = findLog(sessionId) ?? makeLog({ id: sessionId, workspace: "" });
      appendTo(log, entry, keepText);
      for (const { scope, name, text } of entry.variables) {
        const known = variables.get(scope) ?? new Map();
        variables.set(scope, known);
        if (text === undefined) known.delete(name);
        else known.set(name, text);
      }
      listeners.tell(sessionId);
      return entry.receipts.at(-1);
    },

    async openSession(session) {
      const known = findLog(session.id);
      if (known !== undefined) session.check?.(recordOf(known));
      const dialect = session.chooseDialect?.(known?.session.dialect);
      const log = known ?? makeLog(session);
      const { closedAt: _, ...rest } = log.session;
      log.session = { ...rest, openedAt: isoTime(), ...(dialect !== undefined && { dialect }) };
      return { ...recordOf(log), resumed: known !== undefined };
    },

    async closeSession(id) {
      const log = findLog(id);
      if (log !== undefined) log.session = { ...log.session, closedAt: isoTime() };
    },

    async listSessions() {
      checkOpen();
      return [...logs.values()].map(recordOf).sort(lastOpenedFirst);
    },

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

// Nobody else sees what is in memory.
const ownLife = "memory";

function lastOpenedFirst(left: SessionRecord, right: SessionRecord): number {
  if (left.openedAt !== right.openedAt) return left.openedAt > right.openedAt ? -1 : 1;
  return left.id < right.id ? -1 : 1;
}
